/** No JSON of the server has this key: its database knows no such character. */
const key = '\u0000typed';

/** What stands for a value while the text is not JSON yet; as an edit it is kept and restored like any other. */
export function typedJson(text: string): unknown {
  return { [key]: text };
}

/** The text, if the value stands for one. */
export function typedJsonText(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !(key in value)) return null;
  return String((value as Record<string, unknown>)[key]);
}
