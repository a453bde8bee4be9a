// The words of the slug of an unknown product.

/** The words of a slug for a search, without numbers, because article numbers match no other product. */
export const wordsOf = (slug: string): string =>
  slug
    .slice(0, 200)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .join(" ");

