package apidiff

// Bounds on the work. They are far above what real schemas need; only one that is
// built to take for ever runs into them.
const (
	// baseSteps and stepsPerByte bound a whole comparison, to a second or two.
	baseSteps    = 10_000_000
	stepsPerByte = 5

	// schemaSteps bounds the comparison of two schemas in the same way, so that
	// one hostile tool leaves work for the others.
	schemaSteps = 1_000_000

	// bytesPerStep is how much text is one step to look at.
	bytesPerStep = 32

	// maxDepth bounds how deep schemas are compared, references followed.
	maxDepth = 200

	// maxMerged bounds the references and parts of allOf that make one schema.
	maxMerged = 50

	// maxVisits is in how many places a change of what several references lead
	// to is told.
	maxVisits = 8
)

// budget counts work, so that it ends.
type budget struct{ left int }

// spend takes n steps. It is false when nothing is left.
func (b *budget) spend(n int) bool {
	b.left = max(b.left-n, -1)
	return b.left >= 0
}

// text takes the steps of looking at so many bytes.
func (b *budget) text(bytes int) bool { return b.spend(1 + bytes/bytesPerStep) }
