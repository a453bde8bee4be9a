package analysis

// Rules is the number of the rules by which this package reads texts. A snapshot states the number of the program that built it.
// Raise it whenever a text of a product gets other words, stems or parts than before: by other code, another list, another
// dependency. Snapshots of other rules are still served, but their text sections cannot be compared with their products.
const Rules = 1
