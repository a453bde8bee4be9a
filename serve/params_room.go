package serve

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/runtime"
)

const (
	minVolume              = 0.001       // minimum volume in m³, so that results are finite and limits are above 0
	minSeconds, maxSeconds = 0.001, 1000 // limits of a reverberation time as the target
	din18041               = "din18041:" // prefix of a use of DIN 18041
	maxPieces              = 10000       // maximum count of one kind of object
	maxFills               = 24          // maximum number of products to fill a room with
)

// room reads a room and computes its reverberation or, for a target A/V, its absorption. If there are faults,
// the result is incomplete.
func (p *params) room(g *runtime.Generation) *runtime.Room {
	r := new(runtime.Room)
	r.VolumeM3 = single(p, "volume", 0, parseVolume)
	if !p.has("volume") {
		p.fault("volume", "missing; expected the room's volume in m³, such as 180")
	}
	r.Air = p.air()
	p.surfaces(g, r)
	p.target(r)  // needs the volume
	p.objects(r) // needs the target
	p.fills(g, r)
	switch {
	case len(p.faults) > 0:
		return r
	case r.Goal.PerM > 0:
		r.Bands = r.AbsorptionFor(r.Goal)
	default:
		var err error
		if r.Bands, err = r.Reverberation(); err != nil {
			p.fault("surface", "%v", err)
		}
	}
	for i := range r.Fills {
		f := &r.Fills[i]
		f.Fill = r.Fill(r.Goal, f.Covering, r.Covers)
	}
	return r
}

var parseVolume = numberWithin(minVolume, maxExtent,
	fmt.Errorf("is not a volume in m³ from %g to %.0f", minVolume, maxExtent))

// air reads the state of the air. It returns nil for air without absorption.
func (p *params) air() *acoustics.Climate {
	c := single(p, "air", acoustics.RoomClimate, parseClimate)
	if c == (acoustics.Climate{}) {
		return nil
	}
	return &c
}

// parseClimate reads a climate. It returns the zero climate for none, which is drier than any valid climate.
func parseClimate(text string) (c acoustics.Climate, err error) {
	if strings.TrimSpace(text) == "none" {
		return c, nil
	}
	temperature, humidity, _ := strings.Cut(text, ",")
	var humidityErr error
	c.TemperatureC, err = parseNumber(strings.TrimSpace(temperature))
	c.HumidityPercent, humidityErr = parseNumber(strings.TrimSpace(humidity))
	switch {
	case err != nil || humidityErr != nil:
		err = errors.New("is neither none nor a temperature in °C and a relative humidity in %, such as 20,50")
	case c.TemperatureC < acoustics.MinTemperatureC || c.TemperatureC > acoustics.MaxTemperatureC ||
		c.HumidityPercent < acoustics.MinHumidityPercent || c.HumidityPercent > acoustics.MaxHumidityPercent:
		err = fmt.Errorf("is out of range: expected %d to %d °C and %d to %d %%", acoustics.MinTemperatureC, acoustics.MaxTemperatureC,
			acoustics.MinHumidityPercent, acoustics.MaxHumidityPercent)
	}
	return c, err
}

var parseHeight = numberWithin(math.SmallestNonzeroFloat64, maxExtent,
	fmt.Errorf("is out of range: expected a height in m above 0 and at most %.0f", maxExtent))

// target reads the target: seconds, or a use of DIN 18041, which sets seconds or, in group B, a ratio A/V
// (Goal.PerM). Only group B needs the height.
func (p *params) target(r *runtime.Room) {
	before := len(p.faults)
	height := single(p, "height", 0, parseHeight)
	r.Goal = single(p, "target", acoustics.Target{}, func(text string) (t acoustics.Target, err error) {
		r.Target = text // if the parameter is repeated, the last of its equivalent texts
		if use, isUse := strings.CutPrefix(text, din18041); isUse {
			return din18041Target(use, r.VolumeM3, height)
		}
		if t.Seconds, err = parseNumber(text); err != nil || t.Seconds < minSeconds || t.Seconds > maxSeconds {
			err = fmt.Errorf("is not a target: expected a reverberation time of %g to %d s, such as 0.6, or one of %s",
				minSeconds, maxSeconds, useNames())
		}
		return t, err
	})
	switch {
	case len(p.faults) > before:
	case r.Goal.PerM > 0 && height == 0:
		p.fault("height", "missing; %s needs the room's clear height in m, such as 3", r.Target)
	case r.Goal.PerM == 0 && height > 0:
		p.fault("height", "is only for targets of group B of DIN 18041, din18041:B2 to din18041:B5")
	}
}

// din18041Target returns the target for a use and a volume in m³. For a volume of 0, which another fault
// reports, the target may have no time.
func din18041Target(name string, volumeM3, heightM float64) (t acoustics.Target, err error) {
	for _, use := range acoustics.DIN18041Ratios {
		if use.Name == name {
			return acoustics.Target{PerM: use.PerM(heightM), Empty: true}, nil
		}
	}
	for _, use := range acoustics.DIN18041Uses {
		if use.Name != name {
			continue
		}
		seconds, ok := use.Target(volumeM3)
		switch {
		case ok || volumeM3 == 0:
			return acoustics.Target{Seconds: seconds, DIN18041: true, Empty: use.IsForEmptyRoom()}, nil
		case math.IsInf(use.Below, 1):
			return t, fmt.Errorf("has no target for %g m³, only for volumes from %g m³", volumeM3, use.From)
		}
		return t, fmt.Errorf("has no target for %g m³, only for volumes from %g to below %g m³",
			volumeM3, use.From, use.Below)
	}
	if name == "B1" {
		return t, fmt.Errorf("has no requirement in DIN 18041; allowed: %s", useNames())
	}
	return t, fmt.Errorf("is not a use of DIN 18041; allowed: %s", useNames())
}

func useNames() string { return din18041 + strings.Join(acoustics.DIN18041Names(), ", "+din18041) }

// objects reads the objects in the room. All are placed, but persons do not count if the target is for the
// empty room.
func (p *params) objects(r *runtime.Room) {
	p.each("object", p.repeated("object"), acoustics.MaxObjects, func(text string) error {
		o, count, err := parseObject(text)
		if err != nil {
			return err
		}
		placed := runtime.PlacedObjects{Name: o.Name, Counted: !o.IsPerson || !r.Goal.Empty,
			Objects: acoustics.Objects{Count: int(count), EachM2: o.EachM2}}
		r.Placed = append(r.Placed, placed)
		if placed.Counted {
			r.Objects = append(r.Objects, placed.Objects)
		}
		return nil
	})
}

// parseObject reads an object and, after the colon, its count.
func parseObject(text string) (o *acoustics.RoomObject, count int64, err error) {
	name, number, found := strings.Cut(text, ":")
	if !found {
		return nil, 0, errors.New("has no count: expected an object and its count, such as person-seated:25")
	}
	name, number = strings.TrimSpace(name), strings.TrimSpace(number)
	if o = acoustics.FindRoomObject(name); o == nil {
		return nil, 0, fmt.Errorf("is not an object%s", alternatives(name, acoustics.RoomObjectNames()))
	}
	if count, err = parseInteger(number); err != nil || count < 1 || count > maxPieces {
		err = fmt.Errorf("has the invalid count %s: expected an integer from 1 to %d", quote(number), maxPieces)
	}
	return o, count, err
}

// fills reads the products whose areas are computed, and the index of the surface that they cover, or -1.
func (p *params) fills(g *runtime.Generation, r *runtime.Room) {
	texts := p.repeated("fill")
	r.Covers = int(single(p, "covers", -1, func(text string) (n int64, err error) {
		surfaces := int64(len(p.repeated("surface")))
		switch n, err = parseInteger(text); {
		case err != nil:
		case len(texts) == 0:
			err = errors.New("needs fill, which is missing")
		case n < 0 || n >= surfaces:
			err = fmt.Errorf("is out of range: the room has %d surfaces, numbered from 0", surfaces)
		}
		return n, err
	}))
	if !p.has("target") && len(texts) > 0 && len(texts) <= maxFills {
		p.fault("fill", "needs a target, such as target=din18041:A3")
		return
	}
	p.each("fill", texts, maxFills, func(text string) (err error) {
		f := runtime.Fill{GivenSurface: runtime.GivenSurface{Text: text, Entry: -1}}
		if f.Covering, err = resolveProduct(g, text, &f.GivenSurface); err == nil {
			r.Fills = append(r.Fills, f)
		}
		return err
	})
}
