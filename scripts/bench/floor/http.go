package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
)

// connection is a server over HTTP/1.1, spoken by hand: the floor has no HTTP
// client of a library in it.
type connection struct {
	conn       net.Conn
	in         *bufio.Reader
	host, path string
}

func dial(address string) (*connection, error) {
	host, path, _ := strings.Cut(address, "/")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	return &connection{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), host: host, path: "/" + path}, nil
}

func (c *connection) notify(message string) error { return c.exchange(message, false) }
func (c *connection) close() error                { return c.conn.Close() }

func (c *connection) exchange(message string, toStdout bool) error {
	_, err := fmt.Fprintf(c.conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		c.path, c.host, len(message), message)
	if err != nil {
		return err
	}
	length, chunked := 0, false
	for first := true; ; first = false {
		line, err := c.line()
		if err != nil {
			return err
		}
		if first && !strings.Contains(line, " 20") {
			return fmt.Errorf("status line %q", line)
		}
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); strings.ToLower(name) {
		case "content-length":
			if length, err = strconv.Atoi(value); err != nil {
				return err
			}
		case "transfer-encoding":
			chunked = value == "chunked"
		}
	}
	to := io.Discard
	if toStdout {
		to = os.Stdout
	}
	if !chunked {
		return c.copy(to, length)
	}
	return c.chunks(to)
}

func (c *connection) chunks(to io.Writer) error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(line, 16, 32)
		if err != nil {
			return err
		}
		if err := c.copy(to, int(n)); err != nil {
			return err
		}
		if _, err := c.line(); err != nil || n == 0 {
			return err
		}
	}
}

// copy passes on the next n bytes as they come.
func (c *connection) copy(to io.Writer, n int) error {
	for n > 0 {
		if _, err := c.in.Peek(1); err != nil {
			return err
		}
		part, _ := c.in.Peek(min(n, c.in.Buffered()))
		if _, err := to.Write(part); err != nil {
			return err
		}
		if _, err := c.in.Discard(len(part)); err != nil {
			return err
		}
		n -= len(part)
	}
	return nil
}

func (c *connection) line() (string, error) {
	line, err := c.in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}
