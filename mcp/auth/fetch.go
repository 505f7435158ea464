package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	// fetchPatience bounds a look at metadata, redirects included.
	fetchPatience = 10 * time.Second
	// endpointPatience bounds an exchange with an endpoint that may ask others.
	endpointPatience = 30 * time.Second
	// maxDocument bounds metadata and what endpoints answer.
	maxDocument = 1 << 20
)

// errAbsent is a document that is not there, and may be elsewhere.
var errAbsent = errors.New("not there")

// document fetches JSON into v. It returns errAbsent for any 4xx, and for pages.
func (n *network) document(ctx context.Context, u string, header http.Header, v any) error {
	patience := n.patience
	if patience == 0 {
		patience = fetchPatience
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, &FetchError{URL: redactURL(u), Err: fmt.Errorf("no answer within %s", patience)})
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return &BlockedError{URL: redactURL(u), Reason: "it is no URL"}
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Accept", "application/json")
	resp, err := (&http.Client{Transport: n.guarded, CheckRedirect: limitRedirects}).Do(req)
	if err != nil {
		return fetchError(ctx, u, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= 400 && resp.StatusCode <= 499 {
		return errAbsent
	}
	if resp.StatusCode != http.StatusOK {
		return &FetchError{URL: redactURL(u), Status: resp.StatusCode}
	}
	body, err := readAll(resp.Body)
	if err != nil {
		return fetchError(ctx, u, err)
	}
	if !strings.Contains(resp.Header.Get("Content-Type"), "json") && !json.Valid(body) {
		return errAbsent // sites that show a page for everything
	}
	if err := json.Unmarshal(body, v); err != nil {
		// What was fetched is not told: it may be from where the user would not look.
		return &MetadataError{URL: redactURL(u), Reason: "it is no JSON of the right kind"}
	}
	return nil
}

func readAll(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err == nil && len(body) > maxDocument {
		err = errors.New("the answer is too large")
	}
	return body, err
}

// postJSON sends a document and gives the answer, whatever its status.
func (n *network) postJSON(ctx context.Context, u string, document any) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, endpointPatience)
	defer cancel()
	data, err := json.Marshal(document)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u, bytes.NewReader(data))
	if err != nil {
		return 0, nil, &BlockedError{URL: redactURL(u), Reason: "it is no URL"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := (&http.Client{Transport: n.guarded, CheckRedirect: noRedirect}).Do(req)
	if err != nil {
		return 0, nil, fetchError(ctx, u, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := readAll(resp.Body)
	if err != nil {
		return 0, nil, fetchError(ctx, u, err)
	}
	return resp.StatusCode, body, nil
}
