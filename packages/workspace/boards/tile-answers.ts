import { envTokens, readGroups } from '@kontor/orm';
import {
  type Answer,
  type Arch,
  analysisTime,
  type Comparison,
  type Domain,
  dateFieldAmong,
  domainIn,
  fieldType,
  type GraphArch,
  type GroupMeasure,
  type GroupRow,
  type GroupSpec,
  graphQuestions,
  type Measure,
  type MeasureArch,
  measures,
  type PivotArch,
  pivotQuestion,
  searchedFields,
  serializeDomain,
} from '@kontor/protocol';
import type { ViewRequest } from '../payload/view-request.ts';

/** A graph has an axis and up to two levels of parts. */
const mostGroups = 3;
const mostMeasures = 4;
/** Levels of rows and columns that a pivot has on a board. */
const pivotRows = 2;
const pivotColumns = 1;

/** What else the address of a screen says: measure, kind, compare, columns. */
export type Choices = Pick<URLSearchParams, 'get'>;

/** The arch of a graph with all that its tile shows: one statement, the period compared with in it. */
export async function graphAnswers(request: ViewRequest, choices: Choices, isFigure: boolean): Promise<Partial<Arch>> {
  const graph = request.arch.graph as GraphArch;
  const chosen = (request.search.groupBy.length > 0 ? request.search.groupBy : graph.groupBy).slice(0, mostGroups);
  // A figure is led up to by a line over time; other groups it has none.
  const groupBy = isFigure ? chosen.filter((group) => isByDate(request.arch, group)).slice(0, 1) : chosen;
  // Several measures stand side by side: nothing splits a place then, and nothing is compared with another period.
  const most = choices.get('measure') === null ? 1 : mostMeasures;
  const shown = chosenMeasures(request.arch, graph.measures, choices).slice(0, most);
  const isSeveral = shown.length > 1;
  const isPie = !isFigure && !isSeveral && (choices.get('kind') ?? graph.kind) === 'pie';
  const axis = isPie ? null : (groupBy[0] ?? null);
  const split = isPie ? groupBy.slice(0, 1) : isSeveral ? [] : groupBy.slice(1);
  const domain = serializeDomain(request.search.domain);
  const time = timeOf(request, choices, domain, chosen);
  const isAdditive = shown.every(({ measure }) => measure === 'sum' || measure === 'count');
  const isRunning = choices.get('running') === '1' && isAdditive && axis !== null && isByDate(request.arch, axis);
  const questions = graphQuestions({
    ...{ domain, axis, split, fields: shown.flatMap(asked), isRunning },
    time: isSeveral ? { ...time, compared: null, sameDays: null } : time,
  });
  const answers = await answersOf(
    request,
    questions.filter((spec) => spec !== null),
  );
  return { answers, graph: { ...graph, groupBy, rows: [], ...(isFigure ? { kind: 'line' as const } : {}) } };
}

/** The same of a pivot, as many levels as a tile has room for. */
export async function pivotAnswers(request: ViewRequest, choices: Choices): Promise<Partial<Arch>> {
  const pivot = request.arch.pivot as PivotArch;
  const rowGroups = (request.search.groupBy.length > 0 ? request.search.groupBy : pivot.rowGroups).slice(0, pivotRows);
  const columns = choices.get('columns');
  const wanted = columns === null ? pivot.columnGroups : columns === '-' ? [] : columns.split(',');
  const columnGroups = wanted.filter((name) => !rowGroups.includes(name)).slice(0, pivotColumns);
  const shown = chosenMeasures(request.arch, pivot.measures, choices);
  const fields = shown.flatMap(asked);
  const domain = serializeDomain(request.search.domain);
  const { field, compared } = timeOf(request, choices, domain, [...rowGroups, ...columnGroups]);
  const within = (period: Domain) => pivotQuestion(period, rowGroups, columnGroups, fields);
  const specs = [within(domain), ...(field && compared ? [within(domainIn(domain, field, compared))] : [])];
  const answers = await answersOf(request, specs);
  const levels = { rows: rowGroups.length, columns: columnGroups.length };
  return { answers, pivot: { ...pivot, rowGroups, columnGroups, rows: [], levels } };
}

async function answersOf({ env, model }: ViewRequest, specs: readonly GroupSpec[]): Promise<readonly Answer[]> {
  const rows = (await readGroups(env, model, specs)) as GroupRow[][];
  return specs.map((spec, at) => ({ spec, rows: rows[at] ?? [] }));
}

function timeOf({ env, arch, query }: ViewRequest, choices: Choices, domain: Domain, groups: readonly string[]) {
  const searched = searchedFields(query.domain ? serializeDomain(query.domain) : [], arch.search);
  const field = dateFieldAmong(arch.fields, [...groups, ...searched]);
  const clock = { tokens: envTokens(env), tz: env.actor.tz };
  return analysisTime(domain, field, comparisonOf(choices.get('compare')), clock);
}

function comparisonOf(name: string | null): Comparison | null {
  return name === 'previous' || name === 'year' ? name : null;
}

function isByDate({ fields }: Arch, group: string): boolean {
  const field = fields.find(({ name }) => name === group.split(':', 1)[0]);
  return group.includes(':') && fieldType(field?.type).isDate;
}

/** Those that the address names, else those of the view. What the reader cannot measure is left out. */
function chosenMeasures(arch: Arch, given: readonly MeasureArch[], choices: Choices): readonly GroupMeasure[] {
  const names = (choices.get('measure') ?? '').split(',').filter((name) => name !== '');
  const chosen = names.flatMap((name) => measureNamed(arch, given, name) ?? []);
  return chosen.length > 0 ? chosen : given;
}

function measureNamed({ fields }: Arch, given: readonly MeasureArch[], name: string): GroupMeasure | null {
  const known = given.find((one) => one.name === name);
  if (known) return known;
  if (name === '__count') return { name, field: 'id', measure: 'count' };
  const [field = '', how = 'sum'] = name.split(':');
  if (!fields.some((one) => one.name === field) || !measures.includes(how as Measure)) return null;
  return { name, field, measure: how as Measure };
}

/** Every row has its count. */
function asked({ name, field, measure }: GroupMeasure): readonly GroupMeasure[] {
  return measure === 'count' ? [] : [{ name, field, measure }];
}
