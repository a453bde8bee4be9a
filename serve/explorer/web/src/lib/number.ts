// Numbers that users type, with a decimal comma or point in any language.

/** A typed number in the format of the API; other texts are only trimmed. */
export function canonical(typed: string): string {
  const text = typed.trim();
  let plain = text.replace(/[\s\u00a0\u2009\u202f]/g, "").replace("−", "-");
  const decimal = Math.max(plain.lastIndexOf(","), plain.lastIndexOf("."));
  if (plain.includes(",") && plain.includes(".")) {
    plain = plain.slice(0, decimal).replace(/[.,]/g, "") + "." + plain.slice(decimal + 1); // 1.234,5
  }
  const parts = /^([+-]?)(\d*)[.,]?(\d*)$/.exec(plain);
  if (!parts || !(parts[2] || parts[3])) return text;
  const whole = parts[2]!.replace(/^0+(?=\d)/, "") || "0";
  return (parts[1] === "-" ? "-" : "") + whole + (parts[3] && "." + parts[3]);
}

/** The number in a text in the format of the API, or null. */
export function numberOf(text: string): number | null {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}
