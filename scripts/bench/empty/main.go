// Empty does nothing: the least a Go program can take to start.
package main

func main() {}
