package commands

const answersTopic = `A server may ask something of its client: for a form to be filled in or a web
page to be visited (elicitation), for a model's answer (sampling), for the folders
it may work in (roots). It is told beforehand what can be answered, and that is
only what a flag or a person at a terminal stands for. All versions ask for the
same things, by requests or by results of the type input_required; the flags
serve both.

  --root DIR|URI            a root; a path becomes a file:// URI and must exist
  --elicit ask              a person fills in the form on the terminal, also when
                            stdin or stdout are none; the default where stdin and
                            stderr are a terminal
  --elicit accept           answer with the defaults of the form
  --elicit-data JSON|@FILE  answer with these values over the defaults; with
                            --elicit ask they are filled in beforehand
  --elicit decline|cancel   say no, or nothing, to every form
  --elicit-exec CMD         a command answers forms and visits
  --sample-exec CMD         a command answers sampling
  --sample-file FILE        answer sampling with the result in FILE

No answer is sent that does not fit the form: with --elicit accept or --elicit-data
such a form ends the run with exit code 2. Web pages are visited only with the
consent of a person at the terminal, or of --elicit-exec; only https pages (and http
on this machine) are opened, by $BROWSER or the system, never fetched by mcpq.

CMD is run by 'sh -c'. It gets the request's params as JSON on its stdin and prints
the result object on its stdout:

  {"action":"accept","content":{…}}      or decline, or cancel
  {"role":"assistant","content":{"type":"text","text":"…"},"model":"…"}

Its stderr is passed on. It has mcpq's environment, the terminal while it runs, and a
process group that ends with the run. If it fails, or prints what does not fit, the
elicitation is cancelled, and sampling refused.

While a question is answered --timeout stands still, and after consent to a visit on
the terminal it does not count for that request at all; --max-time goes on.
`
