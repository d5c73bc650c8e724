/** A function whose argument is a message for users. */
export interface Marker {
  /** As it is called: `text`, `new UserError`. */
  readonly call: string;
  readonly argument: number;
  /** Also as a method: `words.say`. */
  readonly isMember?: boolean;
  /** Only if the first argument is one of these. */
  readonly firstOf?: readonly string[];
}

export interface MarkedCall {
  /** The arguments as written. */
  readonly args: readonly string[];
  readonly marker: Marker;
}

/** Not the `/*` of `image/*` in a text. */
const comments = /(?<!\w)\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const literal = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g;

/** The texts in marked calls of some code, and the templates that should be texts with values. */
export function codeTexts(source: string, markers: readonly Marker[]): { texts: string[]; templates: string[] } {
  const texts: string[] = [];
  const templates: string[] = [];
  for (const { args, marker } of markedCalls(source, markers)) {
    const argument = args[marker.argument] ?? '';
    if (/^`[^`]*\$\{/.test(argument)) templates.push(argument);
    else if (!/\btext\(/.test(argument)) texts.push(...displayedLiterals(argument));
  }
  return { texts, templates };
}

/** Calls of the marked functions in some code, with their arguments as source text. */
export function markedCalls(code: string, markers: readonly Marker[]): readonly MarkedCall[] {
  const source = code.replaceAll(comments, '');
  return markers.flatMap((marker) => {
    const call = marker.call.replaceAll(/[.$]/g, '\\$&').replaceAll(' ', '\\s+');
    const before = marker.isMember ? '(?<![\\w$]|function )' : '(?<![\\w$.]|function )';
    const pattern = new RegExp(`${before}${call}\\(`, 'g');
    return [...source.matchAll(pattern)]
      .map(({ index, 0: found }) => ({ args: argumentsAt(source, index + found.length), marker }))
      .filter(({ args }) => !marker.firstOf || marker.firstOf.includes((args[0] ?? '').replaceAll("'", '')));
  });
}

/** A literal text, or the branches of a condition; never its operands. */
export function displayedLiterals(argument: string): readonly string[] {
  return [...argument.matchAll(literal)]
    .filter(({ index }) => {
      const before = argument.slice(0, index).trimEnd();
      return before === '' || /(?:[?:[]|\|\||,)$/.test(before);
    })
    .map(([, single, double]) => plainText(single ?? double ?? ''));
}

function plainText(text: string): string {
  return text.replaceAll(/\\(u[0-9a-f]{4}|.)/gi, (_, char: string) => {
    if (char.length > 1) return String.fromCharCode(Number.parseInt(char.slice(1), 16));
    return char === 'n' ? '\n' : char;
  });
}

/** The arguments of a call whose opening bracket is just before `start`. */
export function argumentsAt(source: string, start: number): readonly string[] {
  const args: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < source.length; at++) {
    const char = source[at] as string;
    if (char === "'" || char === '"' || char === '`') at = endOfString(source, at, char);
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && depth > 0) depth--;
    else if (char === ',' && depth === 0) {
      args.push(source.slice(from, at).trim());
      from = at + 1;
    } else if (char === ')') {
      args.push(source.slice(from, at).trim());
      return args.filter((arg) => arg !== '');
    }
  }
  return args;
}

function endOfString(source: string, start: number, quote: string): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === quote) return at;
  }
  return source.length;
}
