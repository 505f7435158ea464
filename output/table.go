package output

import (
	"strings"

	"mcpq/internal/rawjson"
)

const (
	columnGap = 2
	minColumn = 8 // narrower columns say nothing
)

// appendTable appends a document as a table: a list by its items, an object by
// its members, anything else as one column. Columns are fitted to width, where
// that is not 0. Everything is on one line and safe for a terminal.
func appendTable(dst, doc []byte, width int) []byte {
	objects, ok := rows(doc)
	if !ok {
		return appendCells(dst, plainRows(doc), width)
	}
	columns := columnsOf(objects)
	if len(columns) == 0 {
		return dst
	}
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.title
	}
	cells := [][]string{head}
	for _, o := range objects {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = c.cell(o)
		}
		cells = append(cells, row)
	}
	return appendCells(dst, dropEmpty(cells), width)
}

// plainRows are the rows of what is no list of objects.
func plainRows(doc []byte) [][]string {
	kind, object, items := shapeOf(doc)
	var cells [][]string
	switch {
	case kind == shapeCompletion, len(doc) > 0 && doc[0] == '[':
		if kind != shapeCompletion {
			items, _ = rawjson.Elements(doc) // of what is sound
		}
		for _, item := range items {
			cells = append(cells, []string{scalarText(item)})
		}
	case object != nil:
		for _, m := range object {
			cells = append(cells, []string{SafeLine(m.Key), scalarText(m.Value)})
		}
	default:
		cells = [][]string{{scalarText(doc)}}
	}
	return cells
}

// dropEmpty leaves columns out in which nothing stands but the heading.
func dropEmpty(cells [][]string) [][]string {
	if len(cells) < 2 {
		return cells
	}
	var keep []int
	for i := range cells[0] {
		for _, row := range cells[1:] {
			if row[i] != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	kept := make([][]string, len(cells))
	for r, row := range cells {
		for _, i := range keep {
			kept[r] = append(kept[r], row[i])
		}
	}
	return kept
}

// appendCells aligns rows of equal length.
func appendCells(dst []byte, cells [][]string, width int) []byte {
	if len(cells) == 0 {
		return dst
	}
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, text := range row {
			widths[i] = max(widths[i], Width(text))
		}
	}
	if width > 0 {
		shrink(widths, width-columnGap*(len(widths)-1))
	}
	for _, row := range cells {
		var line strings.Builder
		for i, text := range row {
			if i > 0 {
				line.WriteString(strings.Repeat(" ", columnGap))
			}
			if width > 0 {
				text = shorten(text, widths[i])
			}
			line.WriteString(pad(text, widths[i]))
		}
		dst = append(dst, strings.TrimRight(line.String(), " ")...)
		dst = append(dst, '\n')
	}
	return dst
}

// shrink takes from the widest columns until they fit together.
func shrink(widths []int, room int) {
	for {
		total, widest := 0, 0
		for i, w := range widths {
			total += w
			if w >= widths[widest] { // of equals the last: names come first
				widest = i
			}
		}
		over := total - room
		if over <= 0 || widths[widest] <= minColumn {
			return
		}
		second := minColumn
		for i, w := range widths {
			if i != widest {
				second = max(second, w)
			}
		}
		widths[widest] -= max(1, min(over, widths[widest]-second))
	}
}

// appendList appends a list as lines of text: what an item is called, and what
// it is for.
func (p *Printer) appendList(dst, doc []byte) []byte {
	objects, ok := rows(doc)
	if !ok {
		for _, row := range plainRows(doc) {
			dst = append(dst, strings.Join(row, " ")+"\n"...)
		}
		return dst
	}
	cells := make([][]string, 0, len(objects))
	for _, o := range objects {
		columns := columnsOf([]rawjson.Object{o})
		row := []string{"", describe(o)}
		if len(columns) > 0 {
			row[0] = columns[0].cell(o)
		}
		cells = append(cells, row)
	}
	return appendCells(dst, cells, 0)
}
