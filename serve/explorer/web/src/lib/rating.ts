/** The sound absorption class after ISO 11654 of a weighted absorption coefficient; null below 0.15, which is not classified. */
export function absorptionClass(alphaW: number): "A" | "B" | "C" | "D" | "E" | null {
  const hundredths = Math.round(alphaW * 100);
  if (hundredths >= 90) return "A";
  if (hundredths >= 80) return "B";
  if (hundredths >= 60) return "C";
  if (hundredths >= 30) return "D";
  return hundredths >= 15 ? "E" : null;
}
