// Example rooms: usual sizes, surfaces and people of five kinds of rooms. Users can change all values.

import { areasOf, newSurface, standard, type Part, type Room } from "./room";

type Preset = {
  name: "classroom" | "office" | "restaurant" | "gym" | "meeting";
  /** Length, width and height in m. */
  size: [number, number, number];
  target: string;
  floor: string;
  ceiling: string;
  walls: string;
  /** Building surfaces in the walls, such as windows, with their areas in m², which are subtracted from the walls. */
  inWalls: [string, number][];
  objects: [string, number][];
};

const kinds: Preset[] = [
  {
    name: "classroom", size: [9, 7, 3], target: "din18041:A3", floor: "linoleum", ceiling: "concrete", walls: "plaster",
    inWalls: [["window", 16], ["door", 2]], objects: [["pupil-secondary", 25], ["person-standing", 1]],
  },
  {
    name: "office", size: [8, 6, 2.8], target: "din18041:B4", floor: "carpet-thin", ceiling: "concrete", walls: "plaster",
    inWalls: [["window", 12], ["door", 2]], objects: [["chair-upholstered", 4], ["person-light-upholstery", 4]],
  },
  {
    name: "restaurant", size: [14, 9, 3.2], target: "din18041:B3", floor: "parquet", ceiling: "plaster", walls: "plaster",
    inWalls: [["window", 25], ["door", 4]], objects: [["chair-wood", 60], ["person-light-upholstery", 40]],
  },
  {
    name: "gym", size: [27, 15, 5.5], target: "din18041:A5", floor: "wood-floor", ceiling: "concrete", walls: "brick-painted",
    inWalls: [["window", 60], ["door", 8]], objects: [],
  },
  {
    name: "meeting", size: [6, 5, 2.8], target: "din18041:A3", floor: "carpet-thin", ceiling: "concrete", walls: "plaster",
    inWalls: [["glass", 8], ["door", 2]], objects: [["person-light-upholstery", 10]],
  },
];

function roomOf(p: Preset): Partial<Room> {
  const size = p.size.map(String);
  const box = areasOf(size)!;
  const walls = box.walls - p.inWalls.reduce((sum, [, m2]) => sum + m2, 0);
  const surfaces: [Part, string, number][] = [
    ["floor", p.floor, box.floor], ["ceiling", p.ceiling, box.floor], ["walls", p.walls, Number(walls.toFixed(2))],
    ...p.inWalls.map(([name, m2]): [Part, string, number] => ["walls", name, m2]),
  ];
  return {
    size,
    volume: String(box.volume),
    target: p.target,
    surfaces: surfaces.map(([part, name, m2]) => ({ ...newSurface(standard + name, "", part), area: String(m2) })),
    objects: p.objects.map(([name, count]) => ({ name, count: String(count) })),
  };
}

export const presets = kinds.map((p) => ({ name: p.name, room: roomOf(p) }));
