// Files that the page creates.

/** A safe file name from a slug. */
export const fileName = (slug: string) => slug.replace(/[^\w-]+/g, "-").slice(0, 80) || "product";

/** Downloads a file that the page created. */
export function save(name: string, type: string, content: string) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}
