package rawjson

// keyCacheSize is a power of two. maxCachedKey keeps a Reader from holding on
// to long keys.
const (
	keyCacheSize = 128
	maxCachedKey = 32
)

// keyString decodes a key. The few names that most objects are made of are
// kept and not allocated anew each time: each has two places, of which the
// second holds the one used less lately.
func (d *Reader) keyString(raw []byte) string {
	text := raw[1 : len(raw)-1]
	if len(text) > maxCachedKey || plain(text) < len(text) {
		s, _ := Unquote(raw)
		return s
	}
	if d.keys == nil {
		d.keys = make([]string, keyCacheSize)
	}
	hash := uint32(len(text))
	for _, c := range text {
		hash = hash*31 + uint32(c)
	}
	place := (hash ^ hash>>7) % keyCacheSize
	first, second := &d.keys[place], &d.keys[place^1]
	if *first == string(text) {
		return *first
	}
	if *second == string(text) {
		return *second
	}
	*second, *first = *first, string(text)
	return *first
}
