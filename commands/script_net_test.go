package commands_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mcpq/mcp/mcptest"
)

// cmdListen runs a script of mcptest on a socket, for every connection anew:
// listen NAME unix|tcp [SCRIPT]. What -s takes is put into $NAME.
func cmdListen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: listen NAME unix|tcp [SCRIPT]")
	}
	script := scriptOf(ts, args[2:])
	address := "127.0.0.1:0"
	if args[1] == "unix" {
		dir, err := os.MkdirTemp("", "mcpq") // the page's own folder may be too long a path
		ts.Check(err)
		ts.Defer(func() { _ = os.RemoveAll(dir) })
		address = dir + "/s"
	}
	l, err := net.Listen(args[1], address)
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	ts.Defer(func() {
		cancel()
		_ = l.Close()
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _ = mcptest.Serve(ctx, script, c, c, io.Discard) }()
		}
	}()
	ts.Setenv(args[0], args[1]+":"+l.Addr().String())
}

// cmdHTTPS runs a script of mcptest on an HTTPS server: https NAME CA CLIENT
// [SCRIPT]. Its URL is put into $NAME, and what certifies it into the file CA. A
// CLIENT other than - is the file for the certificate and key that it wants.
func cmdHTTPS(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: https NAME CA CLIENT [SCRIPT]")
	}
	s := httptest.NewUnstartedServer(mcptest.Handler(scriptOf(ts, args[3:])))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if args[2] != "-" {
		cert, files := selfSigned(ts)
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), files, 0o600))
		pool := x509.NewCertPool()
		pool.AddCert(cert)
		s.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	}
	s.StartTLS()
	ts.Defer(s.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), ca, 0o600))
	ts.Setenv(args[0], s.URL+"/mcp")
}

func scriptOf(ts *testscript.TestScript, file []string) *mcptest.Script {
	script, err := mcptest.Parse("")
	if len(file) > 0 {
		script, err = mcptest.ParseFile(ts.MkAbs(file[0]))
	}
	ts.Check(err)
	return script
}

// selfSigned makes a certificate for a client, and it with its key in PEM.
func selfSigned(ts *testscript.TestScript) (*x509.Certificate, []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ts.Check(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "client"},
		NotAfter:     time.Now().Add(time.Hour),
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	ts.Check(err)
	cert, err := x509.ParseCertificate(der)
	ts.Check(err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	ts.Check(err)
	return cert, append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
}
