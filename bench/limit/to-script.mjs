/**
 * A statement of the server as a pgbench script. Parameters keep the values that the server sent, but for those named in
 * `random`: `{ 1: { between: [1, 10], isArray: true } }` draws parameter 1 anew for each transaction.
 */
export function toScript({ text, values }, random = {}) {
  const variables = {};
  const draws = [];
  const body = escapeColons(text).replace(/\$(\d+)/g, (_, position) => {
    const name = `p${position}`;
    const drawn = random[position];
    if (drawn) {
      draws.push(`\\set ${name} random(${drawn.between.join(', ')})`);
      return drawn.isArray ? `array[:${name}]` : `:${name}`;
    }
    const value = values[position - 1];
    if (value === null) return 'null';
    variables[name] = value;
    return `:${name}`;
  });
  return { text: `${[...new Set(draws)].join('\n')}\n${body.trim()};\n`, variables };
}

/** pgbench takes `:MI` inside a text constant for a variable of its own. */
function escapeColons(text) {
  return text.replace(/'([^']*)'/g, (constant, inside) =>
    /:[A-Za-z0-9_]/.test(inside) ? `U&'${inside.replaceAll('\\', '\\\\').replaceAll(':', '\\003A')}'` : constant,
  );
}
