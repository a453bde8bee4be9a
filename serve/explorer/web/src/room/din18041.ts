// Written by serve/explorer/room_test.go, of what dataset/acoustics knows: go test ./serve/explorer -run DIN18041 -update

/** Uses of rooms, and the volumes in m³ that they have a target for: `from` and more, less than `below`. */
export const uses = [
  { name: "A1", from: 30, below: 1000 },
  { name: "A2", from: 50, below: 5000 },
  { name: "A3", from: 30, below: 5000 },
  { name: "A4", from: 30, below: 500 },
  { name: "A5", from: 200, below: Infinity },
] as const;

export type Use = (typeof uses)[number];

/** Octaves in Hz, and how far a reverberation time may lie from the target there, as ratios to it. */
export const tolerance = [
  { hz: 125, low: 0.65, high: 1.45 },
  { hz: 250, low: 0.8, high: 1.2 },
  { hz: 500, low: 0.8, high: 1.2 },
  { hz: 1000, low: 0.8, high: 1.2 },
  { hz: 2000, low: 0.8, high: 1.2 },
  { hz: 4000, low: 0.65, high: 1.2 },
] as const;

/** Uses of rooms in group B, which have a requirement for the absorption of each m³. */
export const usesB = ["B2", "B3", "B4", "B5"] as const;
