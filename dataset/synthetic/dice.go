package synthetic

import "math/bits"

// dice is a source of random numbers: splitmix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
// pseudorandom number generators, 2014). It does not use the standard library, so that a seed produces the
// same catalogue with every version of Go.
type dice struct{ state uint64 }

// newDice returns the dice for a record of a catalogue.
func newDice(seed, record uint64) dice {
	d := dice{seed}
	d.state = d.roll() ^ record*0xd1342543de82ef95
	d.roll()
	return d
}

func (d *dice) roll() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (d *dice) below(n int) int {
	high, _ := bits.Mul64(d.roll(), uint64(n))
	return int(high)
}

// between returns a number from low to high.
func (d *dice) between(low, high int) int { return low + d.below(high-low+1) }

// percent returns true with a probability of p percent.
func (d *dice) percent(p int) bool { return d.below(100) < p }

// unless returns nil with a probability of p percent, and otherwise the value.
func unless[T any](d *dice, p int, value T) *T {
	if d.percent(p) {
		return nil
	}
	return &value
}

// pick returns a random element of values.
func pick[T any](d *dice, values []T) T { return values[d.below(len(values))] }
