package output

// Color says when output is coloured.
type Color string

// The values of [Color]. The empty Color means [ColorAuto].
const (
	ColorAuto   Color = "auto"   // on a terminal, unless the environment objects
	ColorAlways Color = "always" // in any layout, to any stream
	ColorNever  Color = "never"
)

// Layout says how the white space of a JSON document is laid out.
type Layout int

// The values of [Layout].
const (
	LayoutAuto    Layout = iota // pretty on a terminal, compact elsewhere
	LayoutCompact               // one line
	LayoutPretty                // indented by two spaces
)

// Options say how a [Printer] prints. The zero value is what a user gets who
// gave no flag.
type Options struct {
	Layout     Layout
	Color      Color
	NoColorEnv bool    // NO_COLOR is set and not empty, or TERM is "dumb"
	Format     Format  // what a document is printed as
	Columns    int     // that a table may take; 0 is any number
	Images     Images  // how [FormatText] draws pictures; only for a terminal
	Filter     *Filter // applied to each document; nil prints documents whole
	Raw        bool    // strings a filter yields are printed without quotes
	ExitStatus bool    // make [Printer.Status] judge the last value
	// Hold keeps documents in the buffer until it is full or [Printer.Flush] is
	// called. By default each document is on its way when the call returns.
	Hold bool
}

func (o Options) pretty(tty bool) bool {
	return o.Format.json() && (o.Layout == LayoutPretty || o.Layout == LayoutAuto && tty)
}

func (o Options) coloured(tty bool) bool {
	switch o.Color {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	default:
		return tty && !o.NoColorEnv
	}
}
