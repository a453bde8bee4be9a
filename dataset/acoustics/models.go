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

// A Construction is a plane absorber on a rigid backing. From front to back it consists of a facing, layers
// and the backing. The time factor is exp(jωt). Impedances are in Pa s/m.
type Construction struct {
	Facing Facing  // nil if the first layer is open
	Layers []Layer // at least one layer
}

// A Layer is a slab of a fluid-like medium.
type Layer interface {
	// wave returns the characteristic impedance and the wavenumber (1/m) of the medium at a frequency.
	wave(hz float64) (impedance, wavenumber complex128)
	// depth returns the thickness in metres.
	depth() float64
}

// A Facing is a thin sheet. The pressure difference across it is proportional to the velocity through it.
type Facing interface {
	impedance(hz float64) complex128
}

// Porous is a layer of fibres or open foam. Source of the model: Y. Miki, Acoustical properties of porous
// materials, J. Acoust. Soc. Jpn. (E) 11, 19 (1990).
type Porous struct {
	ThicknessMM     float64
	FlowResistivity float64 // in Pa s/m², in practice 1,000 to 100,000
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

// Perforated is a rigid sheet with round holes, which can be micro-perforated and covered with a fleece.
// Source of the impedance of the holes: D.-Y. Maa, Microperforated-panel wideband absorbers, Noise Control
// Eng. J. 29, 77 (1987). Source of the end correction, which includes the effect of adjacent holes: S. N.
// Rschevkin, A Course of Lectures on the Theory of Sound (1963).
type Perforated struct {
	ThicknessMM      float64
	HoleMM           float64 // diameter
	OpenRatio        float64 // hole area divided by sheet area, greater than 0 and at most 0.5
	FleeceResistance float64 // flow resistance of the fleece in Pa s/m; 0 without fleece
}

func (p Perforated) impedance(hz float64) complex128 {
	omega := 2 * math.Pi * hz
	thickness, hole := p.ThicknessMM/1000, p.HoleMM/1000
	k := hole * math.Sqrt(omega*airDensity/(4*airViscosity)) // hole radius divided by viscous boundary layer
	resistance := 32 * airViscosity * thickness / (hole * hole) * (math.Sqrt(1+k*k/32) + math.Sqrt2/32*k*hole/thickness)
	endCorrection := 0.85 * hole * (1 - 1.47*math.Sqrt(p.OpenRatio) + 0.47*math.Sqrt(p.OpenRatio*p.OpenRatio*p.OpenRatio))
	mass := airDensity * (thickness*(1+1/math.Sqrt(9+k*k/2)) + endCorrection)
	return complex((resistance+p.FleeceResistance)/p.OpenRatio, omega*mass/p.OpenRatio)
}

// Membrane is a limp, airtight sheet in front of a cavity: a panel absorber. It resonates at about
// 600/√(mass·gap in cm) Hz (W. Fasold and E. Veres, Schallschutz und Raumakustik in der Praxis). The model
// neglects stiffness.
type Membrane struct {
	MassKgM2   float64
	Resistance float64 // losses in the sheet and at its edges in Pa s/m
}

func (m Membrane) impedance(hz float64) complex128 {
	return complex(m.Resistance, 2*math.Pi*hz*m.MassKgM2)
}

// Absorption returns the random-incidence absorption coefficients of the construction in third-octave bands,
// from 0 to 1.
func (c *Construction) Absorption(thirdBandsHz []int) Curve {
	return averageOverBands(thirdBandsHz, c.randomIncidence)
}

// gauss are the nodes and weights of the 8-point Gauss-Legendre rule on the interval from 0 to 1.
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

// randomIncidence integrates over a diffuse field with Paris' formula: the integral of alpha(θ) sin 2θ from 0
// to 90° (H. Kuttruff, Room Acoustics). As a function of sin²θ, the integral is a plain mean.
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

// absorbed returns the absorption coefficient of a surface with the given impedance for a plane wave. cos is
// the cosine of the angle between the wave and the normal.
func absorbed(impedance complex128, cos float64) float64 {
	z := impedance * complex(cos/airImpedance, 0)
	return min(max(4*real(z)/power(z+1), 0), 1)
}

// A slab is a layer at one frequency.
type slab struct {
	squared complex128 // square of the wavenumber
	per     complex128 // characteristic admittance divided by wavenumber
	depth   complex128 // depth in metres, a real number
}

// admittance returns the surface admittance of the layers. It starts at the rigid backing. Each layer
// transforms the admittance like a transmission line (J. F. Allard and N. Atalla, Propagation of Sound in
// Porous Media). trace is the squared wavenumber along the surface, which is the same in every layer.
func admittance(slabs []slab, trace float64) complex128 {
	var y0 complex128 // admittance at the back of the layer
	for i := len(slabs) - 1; i >= 0; i-- {
		s := &slabs[i]
		normal := cmplx.Sqrt(s.squared - complex(trace, 0))
		if imag(normal) > 0 {
			normal = -normal // the wave must decay into the layer
		}
		y := normal * s.per
		sin, cos := sincos(normal * s.depth)
		y0 = y * (y0*cos + 1i*y*sin) / (y*cos + 1i*y0*sin)
	}
	return y0
}

// sincos returns the sine and cosine of z, a wavenumber times a depth with imag(z) <= 0. It scales both by
// the same factor, because only their ratio is needed and the unscaled values overflow in deep layers.
func sincos(z complex128) (sin, cos complex128) {
	if imag(z) == 0 {
		s, c := math.Sincos(real(z))
		return complex(s, 0), complex(c, 0)
	}
	e := cmplx.Exp(-2i * z)
	return 1i * (e - 1), e + 1
}

// WithEdges returns the curve as measured in a reverberation room, where the edges of the specimen diffract
// sound onto it. A coefficient is multiplied by 1 + width × edgePerArea, which is the linear rule in H.
// Kuttruff, Room Acoustics. edgePerArea is the edge length divided by the area, in 1/m. The width of the
// strip along the edge is a model of this package: an eighth of the wavelength, but at most 0.1 m. Below 400
// Hz, where specimens are small compared with the wavelength, it is reduced in proportion to the frequency.
// So coefficients at middle frequencies exceed 1, like published ones. Their maximum is 1.5.
func WithEdges(third Curve, edgePerArea float64) Curve {
	c := make(Curve, len(third))
	for i, p := range third {
		hz := exactHz(p.BandHz)
		width := min(speedOfSound/hz/8, 0.1) * min(hz/400, 1)
		c[i] = Point{p.BandHz, toHundredths(min(p.Value*(1+width*edgePerArea), 1.5))}
	}
	return c
}
