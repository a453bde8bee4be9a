// Files that the page makes.

/** A name for a file, from a slug that anybody wrote. */
export const fileName = (slug: string) => slug.replace(/[^\w-]+/g, "-").slice(0, 80) || "product";

/** Gives a person a file that the page has made. */
export function save(name: string, type: string, content: string) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}
