// What may be left of a product that is not there: the words of its slug.

/** The words of a slug that a search may find something by: without numbers, such as those of articles, which nothing else has. */
export const wordsOf = (slug: string): string =>
  slug
    .slice(0, 200)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .join(" ");

