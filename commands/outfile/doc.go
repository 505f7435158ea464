// Package outfile saves the content of results: texts, pictures, sounds and
// other binary data, decoded, in files.
//
// Content is decoded while it arrives ([Writer], [Decode]), so that a resource
// of any size needs little memory. It goes into temporary files beside their
// place, which get their names only when all of it is there ([Saver.Commit]):
// there is never half a file. Names that a server gives are made safe
// ([SafeName]), and files are reached through [os.Root], so that nothing is
// written outside of the directory that was named.
package outfile
