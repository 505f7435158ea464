package demo

// logoPNG is a 16 by 16 picture, a blue ring with an orange corner, as base64:
// the form in which all its uses want it.
const logoPNG = "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAACVBMVEX///8fb+vwiD4RMkOOAAAAOUlEQVR42m3PQQ4AIAgDwcX/P9pIAMXSA4Q5FZhikf9OMety9vKE+CxJQAABBBDgwlNoKqbV9bmWDV4QAKebu5c5AAAAAElFTkSuQmCC"

// logoSize is the picture's size in bytes before encoding.
const logoSize = 135

// icons describes the picture as an icon that needs no fetching.
func icons() []map[string]any {
	return []map[string]any{{
		"src":      "data:image/png;base64," + logoPNG,
		"mimeType": "image/png",
		"sizes":    []string{"16x16"},
	}}
}
