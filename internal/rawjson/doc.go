// Package rawjson reads JSON as bytes: it finds where values begin and end,
// checks their syntax (RFC 8259) and hands their bytes on without decoding
// them, in memory that does not grow with the input.
//
// What is passed on keeps its field order, the spelling of its numbers and
// escapes, and unknown and repeated members; only white space outside strings
// is dropped. Bytes that are not UTF-8 inside strings, and escapes of lone
// surrogates, pass through as they are.
//
// A [Reader] walks a stream with callbacks, and each [Value] it hands out is an
// [io.Reader] over one value:
//
//	d := rawjson.NewReader(r)
//	err := d.Object(func(key string, v *rawjson.Value) error {
//		if key != "result" {
//			return nil // what a callback leaves unread is skipped
//		}
//		_, err := io.Copy(w, v)
//		return err
//	})
//
// For small things in memory there are [ParseObject], [Elements] and [Compact].
// A [Picker] keeps members of a large object that was checked on its way.
package rawjson
