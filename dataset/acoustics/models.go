package acoustics

import (
	"math"
	"math/cmplx"
)

// Air at 20 °C and 1013 hPa.
const (
	speedOfSound = 343.2   // c, in m/s
	airDensity   = 1.204   // rho, in kg/m³
	airViscosity = 1.82e-5 // eta, dynamic, in Pa s
	airImpedance = airDensity * speedOfSound
)

// A Construction is a plane absorber on a rigid backing. From the front: a facing, layers, the backing. The
// time factor is exp(jωt); impedances are in Pa s/m.
type Construction struct {
	Facing Facing  // nil: the first layer lies open
	Layers []Layer // at least one
}

// A Layer is a slab of a fluid-like medium.
type Layer interface {
	// wave returns the characteristic impedance and the wavenumber (1/m) of the medium at a frequency.
	wave(hz float64) (impedance, wavenumber complex128)
	// depth returns the thickness in metres.
	depth() float64
}

// A Facing is a thin sheet whose pressure difference is proportional to the velocity through it.
type Facing interface {
	impedance(hz float64) complex128
}

// Porous is a layer of fibres or open foam, after Y. Miki, Acoustical properties of porous materials, J.
// Acoust. Soc. Jpn. (E) 11, 19 (1990).
type Porous struct {
	ThicknessMM     float64
	FlowResistivity float64 // Pa s/m², 1,000 to 100,000 in practice
}

func (p Porous) depth() float64 { return p.ThicknessMM / 1000 }

func (p Porous) wave(hz float64) (impedance, wavenumber complex128) {
	x := hz / p.FlowResistivity
	a, b := math.Pow(x, -0.632), math.Pow(x, -0.618)
	impedance = complex(airImpedance*(1+0.070*a), -airImpedance*0.107*a)
	k := airWavenumber(hz)
	return impedance, complex(k*(1+0.109*b), -k*0.160*b)
}

// Air is a layer of air.
type Air struct {
	ThicknessMM float64
}

func (a Air) depth() float64 { return a.ThicknessMM / 1000 }

func (a Air) wave(hz float64) (impedance, wavenumber complex128) {
	return airImpedance, complex(airWavenumber(hz), 0)
}

func airWavenumber(hz float64) float64 { return 2 * math.Pi * hz / speedOfSound }

// Perforated is a rigid sheet with round holes, wide or micro-perforated, with or without a fleece glued to
// it. The impedance of the holes is that of D.-Y. Maa, Microperforated-panel wideband absorbers, Noise
// Control Eng. J. 29, 77 (1987); their end correction takes account of the holes beside them, after S. N.
// Rschevkin, A Course of Lectures on the Theory of Sound (1963).
type Perforated struct {
	ThicknessMM      float64
	HoleMM           float64 // diameter
	OpenRatio        float64 // hole area over sheet area, above 0, at most 0.5
	FleeceResistance float64 // flow resistance of the fleece, Pa s/m; 0 without one
}

func (p Perforated) impedance(hz float64) complex128 {
	omega := 2 * math.Pi * hz
	thickness, hole := p.ThicknessMM/1000, p.HoleMM/1000
	k := hole * math.Sqrt(omega*airDensity/(4*airViscosity)) // hole radius over the viscous boundary layer
	resistance := 32 * airViscosity * thickness / (hole * hole) * (math.Sqrt(1+k*k/32) + math.Sqrt2/32*k*hole/thickness)
	endCorrection := 0.85 * hole * (1 - 1.47*math.Sqrt(p.OpenRatio) + 0.47*math.Sqrt(p.OpenRatio*p.OpenRatio*p.OpenRatio))
	mass := airDensity * (thickness*(1+1/math.Sqrt(9+k*k/2)) + endCorrection)
	return complex((resistance+p.FleeceResistance)/p.OpenRatio, omega*mass/p.OpenRatio)
}

// Membrane is a limp, airtight sheet before a cavity: a panel absorber that resonates at about 600/√(mass·gap
// in cm) Hz, after W. Fasold and E. Veres, Schallschutz und Raumakustik in der Praxis. Its stiffness is left
// out.
type Membrane struct {
	MassKgM2   float64
	Resistance float64 // losses in the sheet and at its edges, Pa s/m
}

func (m Membrane) impedance(hz float64) complex128 {
	return complex(m.Resistance, 2*math.Pi*hz*m.MassKgM2)
}

// Absorption returns the random-incidence absorption coefficients of the construction in third-octave bands,
// 0 to 1.
func (c *Construction) Absorption(thirdBandsHz []int) Curve {
	return overBands(thirdBandsHz, c.randomIncidence)
}

// gauss are the nodes and weights of the Gauss-Legendre rule of eight points on 0 to 1.
var gauss = [8]struct{ at, weight float64 }{
	{0.019855071751231884, 0.050614268145188130},
	{0.101666761293186630, 0.111190517226687235},
	{0.237233795041835507, 0.156853322938943644},
	{0.408282678752175098, 0.181341891689180991},
	{0.591717321247824902, 0.181341891689180991},
	{0.762766204958164493, 0.156853322938943644},
	{0.898333238706813370, 0.111190517226687235},
	{0.980144928248768116, 0.050614268145188130},
}

// randomIncidence integrates over a diffuse field by Paris' formula, the integral of alpha(θ) sin 2θ over 0
// to 90° (H. Kuttruff, Room Acoustics), which in sin²θ is a plain mean.
func (c *Construction) randomIncidence(hz float64) float64 {
	var facing complex128
	if c.Facing != nil {
		facing = c.Facing.impedance(hz)
	}
	slabs := make([]slab, len(c.Layers))
	for i, layer := range c.Layers {
		impedance, wavenumber := layer.wave(hz)
		slabs[i] = slab{wavenumber * wavenumber, 1 / (wavenumber * impedance), complex(layer.depth(), 0)}
	}
	alpha := 0.0
	for _, g := range gauss {
		trace := airWavenumber(hz) * airWavenumber(hz) * g.at
		alpha += g.weight * absorbed(facing+1/admittance(slabs, trace), math.Sqrt(1-g.at))
	}
	return alpha
}

// absorbed returns the absorption coefficient of a surface impedance for a plane wave at an angle to the
// normal with the given cosine.
func absorbed(impedance complex128, cos float64) float64 {
	z := impedance * complex(cos/airImpedance, 0)
	return min(max(4*real(z)/power(z+1), 0), 1)
}

// A slab is a layer at one frequency.
type slab struct {
	squared complex128 // of the wavenumber
	per     complex128 // characteristic admittance over the wavenumber
	depth   complex128 // in metres; real
}

// admittance returns the surface admittance of the layers, from the rigid backing forwards: each transforms
// the admittance behind it as a transmission line does (J. F. Allard and N. Atalla, Propagation of Sound in
// Porous Media). trace is the squared wavenumber along the surface, which is the same in every layer.
func admittance(slabs []slab, trace float64) complex128 {
	var behind complex128
	for i := len(slabs) - 1; i >= 0; i-- {
		s := &slabs[i]
		normal := cmplx.Sqrt(s.squared - complex(trace, 0))
		if imag(normal) > 0 {
			normal = -normal // the wave decays into the layer
		}
		y := normal * s.per
		sin, cos := sincos(normal * s.depth)
		behind = y * (behind*cos + 1i*y*sin) / (y*cos + 1i*behind*sin)
	}
	return behind
}

// sincos returns the sine and cosine of a wavenumber times a depth, which does not grow into the layer, both
// times the same factor: only their ratio counts, and without the factor they would overflow in deep layers.
func sincos(z complex128) (sin, cos complex128) {
	if imag(z) == 0 {
		s, c := math.Sincos(real(z))
		return complex(s, 0), complex(c, 0)
	}
	e := cmplx.Exp(-2i * z)
	return 1i * (e - 1), e + 1
}

// WithEdges returns the curve as a reverberation room would give it for a specimen whose edges diffract sound
// onto it: each coefficient grows by the edge length over the area (1/m) times the width of a strip beside
// the edge (the linear rule in H. Kuttruff, Room Acoustics). The width is ours, times the coefficient: an
// eighth of the wavelength, at most 0.1 m, and below 400 Hz, where specimens are small against the
// wavelength, in proportion to the frequency. So coefficients exceed 1 at middle frequencies, as published
// ones do; at most 1.5.
func WithEdges(third Curve, edgePerArea float64) Curve {
	c := make(Curve, len(third))
	for i, p := range third {
		hz := exactHz(p.BandHz)
		width := min(speedOfSound/hz/8, 0.1) * min(hz/400, 1)
		c[i] = Point{p.BandHz, toHundredths(min(p.Value*(1+width*edgePerArea), 1.5))}
	}
	return c
}
