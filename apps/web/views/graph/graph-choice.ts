import {
  type Analysis,
  type Arch,
  type ArchField,
  fieldOf,
  fieldOfMeasure,
  fieldType,
  type GraphArch,
  isAdditive,
  isDateField,
  type MeasureArch,
} from '../../door/index.ts';

export const graphKinds = ['stacked', 'bar', 'line', 'area', 'pie'] as const;
/** `bar` has its parts side by side, `stacked` on top of each other. */
export type GraphKind = (typeof graphKinds)[number];

export const mostGroups = 3;
/** More lines of different things nobody tells apart. */
const mostMeasures = 4;
/** One axis at each side. */
const mostUnits = 2;
/** Parts that are told apart at a glance. */
const fewParts = 5;
const manySlices = 7;

/** What the graph shows, as the address and the view say. */
export interface GraphChoice {
  readonly kind: GraphKind;
  readonly measure: MeasureArch;
  /** That one and those that stand beside it; then nothing splits a place. */
  readonly measures: readonly MeasureArch[];
  /** What stands along the axis; null in a pie, whose slices are the first group. */
  readonly axis: string | null;
  /** What splits each place of the axis. */
  readonly split: readonly string[];
  readonly axisField: ArchField | null;
  readonly isDateAxis: boolean;
  /** How many parts, or places of an axis without parts, are shown; the rest are one. 0: all of them. */
  readonly top: number;
  /** Each place with all before it. */
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly target: number | null;
  /** The largest first, in place of the order of the groups. */
  readonly isBySize: boolean;
}

export function graphChoice(analysis: Analysis, graph: GraphArch): GraphChoice {
  const { option, groupBy, workspace, measures } = analysis;
  const measure = measures[0] as MeasureArch;
  // Of the measures of a view the first is looked at, until a person wants others beside it.
  const all = option('measure') === '' ? [measure] : sideBySide(workspace.arch, measures);
  const isSeveral = all.length > 1;
  const groups = groupBy.slice(0, isSeveral ? 1 : mostGroups);
  const kind = kindOf(option('kind'), graph, all);
  const isPie = kind === 'pie';
  const axis = isPie ? null : (groups[0] ?? null);
  const split = isPie ? groups.slice(0, 1) : groups.slice(1);
  const axisField = axis === null ? null : (fieldOf(workspace.arch.fields, axis) ?? null);
  const isDateAxis = axis?.includes(':') === true && isDateField(axisField ?? undefined);
  const canRun = isDateAxis && all.every(isAdditive);
  return {
    kind,
    measure,
    measures: all,
    axis,
    split,
    axisField,
    isDateAxis,
    top: topOf(option('top'), isPie ? manySlices : split.length > 0 ? fewParts : 0),
    isRunning: canRun && option('running') === '1',
    canRun,
    target: isPie || isSeveral ? null : targetOf(option('target')),
    isBySize: option('order') === 'size',
  };
}

/** What a figure is counted in. */
export function unitOf(arch: Arch, measure: MeasureArch): 'count' | 'money' | 'number' {
  if (measure.measure === 'count' || measure.measure === 'count_distinct') return 'count';
  return fieldType(fieldOfMeasure(arch, measure)?.type).isMoney ? 'money' : 'number';
}

function sideBySide(arch: Arch, measures: readonly MeasureArch[]): readonly MeasureArch[] {
  const fit: MeasureArch[] = [];
  for (const one of measures) if (refusalOf(arch, fit, one) === null) fit.push(one);
  return fit;
}

/** Why a measure cannot stand beside others. */
export function refusalOf(
  arch: Arch,
  chosen: readonly MeasureArch[],
  measure: MeasureArch,
): 'measures' | 'units' | null {
  if (chosen.length >= mostMeasures) return 'measures';
  const units = new Set([...chosen, measure].map((one) => unitOf(arch, one)));
  return units.size > mostUnits ? 'units' : null;
}

/** Averages and different measures do not add up, so they are never on top of each other, nor parts of a whole. */
function kindOf(wanted: string, { kind, stacked }: GraphArch, measures: readonly MeasureArch[]): GraphKind {
  const found = graphKinds.find((one) => one === wanted) ?? (kind === 'bar' && stacked ? 'stacked' : kind);
  if (measures.length > 1) return found === 'line' || found === 'area' ? 'line' : 'bar';
  if (measures.every(isAdditive)) return found;
  return found === 'stacked' ? 'bar' : found === 'area' ? 'line' : found;
}

function topOf(option: string, usual: number): number {
  if (option === 'all') return 0;
  return /^[1-9]\d{0,2}$/.test(option) ? Number(option) : usual;
}

function targetOf(option: string): number | null {
  const target = Number(option);
  return option !== '' && Number.isFinite(target) ? target : null;
}
