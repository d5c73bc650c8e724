export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const types = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

/** Reads Prometheus' text format 0.0.4 as strictly as it is written down; throws where a line does not fit. */
export function parsePrometheus(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current: string | null = null;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? fail(line);
      if (!metricName.test(name)) fail(line);
      const family = families.get(name) ?? { name, type: '', help: '', samples: [] };
      if (family.samples.length > 0) throw new Error(`${name} goes on after its samples: ${line}`);
      if (kind === 'TYPE' && (family.type !== '' || !types.has(rest))) fail(line);
      if (kind === 'HELP' && family.help !== '') fail(line);
      families.set(name, kind === 'TYPE' ? { ...family, type: rest } : { ...family, help: rest });
      current = name;
      continue;
    }
    const sample = parseSample(line);
    const family = families.get(current ?? '') ?? fail(line);
    if (!belongs(sample.name, family)) throw new Error(`${sample.name} stands under ${family.name}.`);
    const key = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(key)) throw new Error(`${key} is given twice.`);
    seen.add(key);
    family.samples.push(sample);
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = '', inside = '', text = ''] = sampleLine.exec(line) ?? fail(line);
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  while (label.lastIndex < inside.length) {
    const [, key = '', value = ''] = label.exec(inside) ?? fail(line);
    if (key in labels) fail(line);
    labels[key] = value;
  }
  const value = /^[+-]Inf$/.test(text) ? Number(text.replace('Inf', 'Infinity')) : Number(text);
  if (text !== 'NaN' && Number.isNaN(value)) fail(line);
  return { name, labels, value };
}

function belongs(sample: string, { name, type }: Family): boolean {
  if (sample === name) return type !== 'histogram';
  return (type === 'histogram' || type === 'summary') && new RegExp(`^${name}_(bucket|sum|count)$`).test(sample);
}

function checkFamily({ name, type, help, samples }: Family): void {
  if (type === '' || help === '') throw new Error(`${name} has no type or no help.`);
  if (type === 'counter' && samples.some(({ value }) => value < 0)) throw new Error(`${name} went below zero.`);
  if (type !== 'histogram') return;
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const own of series.values()) {
    const buckets = own.filter((sample) => sample.name.endsWith('_bucket'));
    const counts = buckets.map(({ value }) => value);
    const total = own.find((sample) => sample.name.endsWith('_count'))?.value;
    if (counts.some((count, at) => at > 0 && count < (counts[at - 1] as number))) throw new Error(`${name} falls.`);
    if (buckets.at(-1)?.labels.le !== '+Inf' || counts.at(-1) !== total) throw new Error(`${name} has no whole end.`);
    if (!own.some((sample) => sample.name.endsWith('_sum'))) throw new Error(`${name} has no sum.`);
  }
}

function fail(line: string): never {
  throw new Error(`Not a line of the format: ${line}`);
}
