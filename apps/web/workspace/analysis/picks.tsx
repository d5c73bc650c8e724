import {
  type ArchField,
  type Comparison,
  domainOutOfTime,
  fieldType,
  type Measure,
  type MeasureArch,
  topConditions,
  waysToMeasure,
} from '@kontor/protocol';
import type { ReactNode } from 'react';
import { mark, t } from '../../i18n/messages.ts';
import { groupLabel } from '../../search/effective-search.ts';
import { granularities, granularityLabel, groupChoices } from '../../search/filter-panel.tsx';
import { periods } from '../../search/periods.ts';
import { Icon, NamedIcon } from '../../ui/icon.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { dateFieldOf, periodOf } from './comparison.ts';
import { countedFields, countMeasure, isAdditive, measuredFields, measureNamed, viewMeasures } from './measures.ts';
import type { Analysis } from './use-analysis.ts';

interface PickProps {
  readonly name: string;
  readonly value: string;
  /** Shown instead of the name. */
  readonly icon?: string;
  readonly entries: readonly MenuEntry[];
  readonly isChip?: boolean;
}

/** The classes of a button that shows a choice, apart from its border and surface. */
export const pickLook = 'inline-row gap-1h within target-high pad-x-2h nowrap round hovers pick';

/** A button that shows the current choice and opens a menu. */
export function Pick({ name, value, icon, entries, isChip = false }: PickProps) {
  return (
    <Menu
      entries={entries}
      label={name}
      trigger={(props) => (
        <button
          type="button"
          className={`${pickLook} ${isChip ? 'muted pick-chip' : 'outlined surface'}`}
          {...(isChip || icon ? { 'aria-label': `${name}: ${value}` } : {})}
          title={name}
          {...props}
        >
          {icon && <NamedIcon name={icon} size={14} className="dim" />}
          {!isChip && !icon && <span className="dim pick-name">{name} </span>}
          <b className="semi dots">{value}</b>
          <Icon name="chevron-down" size={14} className="dim" />
        </button>
      )}
    />
  );
}

interface MeasurePickProps {
  readonly analysis: Analysis;
  /** The measures of the view's arch. */
  readonly given: readonly MeasureArch[];
  readonly isSingle?: boolean;
  readonly isAdditiveOnly?: boolean;
  /** The measures shown together, this one first; empty if another would not fit. */
  readonly beside: readonly MeasureArch[];
  readonly refusal: (measure: MeasureArch) => string | null;
}

const ways: readonly (readonly [how: Measure, label: string])[] = [
  ['sum', mark('Sum')],
  ['ratio', mark('Ratio of the sums')],
  ['avg', mark('Average')],
  ['min', mark('Lowest')],
  ['max', mark('Highest')],
];

/** Chooses the measure: sums or averages of amounts, counts of records, counts of distinct customers. */
export function MeasurePick(props: MeasurePickProps) {
  const { analysis, given, isSingle = false, isAdditiveOnly = false, beside } = props;
  const { workspace, change } = analysis;
  const measures = isSingle && beside.length > 0 ? beside : analysis.measures.slice(0, isSingle ? 1 : undefined);
  const { arch } = workspace;
  const own = viewMeasures(given);
  const chosen = measures.map(({ name }) => name).filter((name) => !analysis.missing.includes(name));
  const choose = (name: string) => {
    if (isSingle) return change({ measures: [name, ...chosen.slice(1).filter((one) => one !== name)] });
    const rest = chosen.filter((one) => one !== name);
    change({ measures: rest.length === chosen.length ? [...chosen, name] : rest.length > 0 ? rest : chosen });
  };
  const entry = ({ name, label }: MeasureArch): MenuEntry => ({
    key: name,
    label,
    isChecked: isSingle ? chosen[0] === name : chosen.includes(name),
    isSticky: !isSingle,
    run: () => choose(name),
  });
  const sums = measuredFields(arch).flatMap((field) => {
    const [usual] = waysToMeasure(field);
    return measureNamed(arch, own, `${field.name}:${usual}`) ?? [];
  });
  const counts = countedFields(arch).flatMap(({ name }) => measureNamed(arch, own, `${name}:count_distinct`) ?? []);
  const all = unique([...own, countMeasure(), ...sums]);
  const last = measures.at(-1);
  const measured = arch.fields.find(({ name }) => name === last?.field);
  const possible = measured ? waysToMeasure(measured) : [];
  const shownWays = ways.filter(([measure]) => possible.includes(measure));
  const how = shownWays.map(([measure, label], at): MenuEntry => {
    const name = `${last?.field}:${measure}`;
    return {
      key: `how ${measure}`,
      label: t(label),
      isChecked: last?.measure === measure,
      isSticky: !isSingle,
      ...(at === 0 ? { section: isSingle && measures.length === 1 ? t('How') : (last?.label ?? '') } : {}),
      run: () => change({ measures: [...chosen.slice(0, -1), name] }),
    };
  });
  const canChoose = last !== undefined && measuredFields(arch).some(({ name }) => name === last.field);
  const entries = [
    ...all.filter((one) => !isAdditiveOnly || isAdditive(one)).map(entry),
    ...(canChoose && !isAdditiveOnly ? how : []),
    ...(isAdditiveOnly ? [] : counts).map((one, at) => ({
      ...entry(one),
      ...(at === 0 ? { section: t('Distinct values') } : {}),
    })),
    ...(beside.length > 0 ? besideEntries(props, all) : []),
  ];
  const value = measures.map(({ label }) => label).join(', ');
  return <Pick name={t('Measure')} value={value} entries={entries} />;
}

/** The other measures, to show them together; then there is only one group. */
function besideEntries({ analysis, beside, refusal }: MeasurePickProps, all: readonly MeasureArch[]): MenuEntry[] {
  const chosen = beside.map(({ name }) => name);
  const others = all.filter(({ name }) => name !== chosen[0]);
  return others.map((one, at) => {
    const isChecked = chosen.includes(one.name);
    const reason = isChecked ? null : refusal(one);
    const measures = isChecked ? chosen.filter((name) => name !== one.name) : [...chosen, one.name];
    return {
      key: `beside ${one.name}`,
      label: one.label,
      isChecked,
      isSticky: true,
      ...(at === 0 ? { section: t('Side by side with') } : {}),
      ...(reason === null ? {} : { isDisabled: true, hint: t(reason) }),
      run: () => analysis.change({ measures, groupBy: analysis.groupBy.slice(0, 1) }),
    };
  });
}

function unique(measures: readonly MeasureArch[]): readonly MeasureArch[] {
  return measures.filter((one, at) => measures.findIndex(({ name }) => name === one.name) === at);
}

interface GroupPicksProps {
  readonly analysis: Analysis;
  readonly label: string;
  readonly groups: readonly string[];
  readonly most: number;
  /** Groups used elsewhere, which are not offered again. */
  readonly others?: readonly string[];
  readonly onChange: (groups: readonly string[]) => void;
}

/**
 * The group levels: each opens its intervals, options to move or remove it, and replacements; the last button adds one.
 */
export function GroupPicks({ analysis, label, groups, most, others = [], onChange }: GroupPicksProps) {
  const { workspace } = analysis;
  const taken = new Set([...groups, ...others].map(fieldName));
  const choices = groupChoices(workspace).filter(({ key }) => !taken.has(fieldName(key)));
  const entriesFor = (withGroup: (group: string) => readonly string[]) =>
    choices.map(
      ({ key, label: name, isDate }): MenuEntry => ({
        key,
        label: name,
        run: () => onChange(withGroup(isDate ? `${key}:month` : key)),
      }),
    );
  const add = entriesFor((group) => [...groups, group]);
  return (
    <span className="inline-row wrap gap-1h picks" role="group" aria-label={label}>
      <span className="dim" aria-hidden="true">
        {label}
      </span>
      {groups.map((group, at) => (
        <Pick
          key={group}
          isChip
          name={label}
          value={groupLabel(workspace, group)}
          entries={groupEntries(analysis, { groups, at, onChange, instead: entriesFor(inPlaceOf(groups, group)) })}
        />
      ))}
      {groups.length < most && add.length > 0 && (
        <Menu
          entries={add}
          label={t('Add a group')}
          trigger={(props) => (
            <button type="button" className={`${pickLook} mut surface dashed`} aria-label={t('Add a group')} {...props}>
              <Icon name="plus" size={14} className="dim" />
              <span className="pick-name">{t('Group')}</span>
            </button>
          )}
        />
      )}
    </span>
  );
}

function inPlaceOf(groups: readonly string[], group: string): (instead: string) => readonly string[] {
  return (instead) => groups.map((one) => (one === group ? instead : one));
}

interface GroupPlace {
  readonly groups: readonly string[];
  readonly onChange: (groups: readonly string[]) => void;
  readonly at: number;
  /** Fields that can replace it. */
  readonly instead: readonly MenuEntry[];
}

function groupEntries({ workspace }: Analysis, { groups, at, onChange, instead }: GroupPlace): readonly MenuEntry[] {
  const group = groups[at] as string;
  const field = fieldOf(workspace.arch.fields, group);
  const replaced = inPlaceOf(groups, group);
  const spans = granularities.map((granularity): MenuEntry => {
    const key = `${field?.name}:${granularity}`;
    return {
      key,
      label: granularityLabel(granularity),
      isChecked: key === group,
      run: () => onChange(replaced(key)),
    };
  });
  const rest = groups.filter((one) => one !== group);
  const entries: MenuEntry[] = isDateField(field) ? [...spans] : [];
  const section = entries.length > 0 ? { section: '' } : {};
  if (at > 0)
    entries.push({ key: 'first', label: t('Move to the front'), ...section, run: () => onChange([group, ...rest]) });
  if (rest.length > 0 || at > 0)
    entries.push({ key: 'remove', label: t('Remove'), ...(at > 0 ? {} : section), run: () => onChange(rest) });
  entries.push(...instead.map((entry, place) => (place === 0 ? { ...entry, section: t('Group by') } : entry)));
  return entries.length > 0 ? entries : [{ key: 'only', label: t('The only group'), isDisabled: true, run: () => {} }];
}

/** The name of the field in a group such as `date:month`. */
export function fieldName(group: string): string {
  return group.split(':')[0] as string;
}

/** The field of a group such as `date:month`. */
export function fieldOf(fields: readonly ArchField[], group: string): ArchField | undefined {
  return fields.find(({ name }) => name === fieldName(group));
}

/** Whether a field is a date or datetime. */
export function isDateField(field: ArchField | undefined): boolean {
  return fieldType(field?.type).isDate;
}

/** Chooses the period and the comparison. */
export function PeriodPicks({ analysis, canCompare }: { readonly analysis: Analysis; readonly canCompare: boolean }) {
  const field = dateFieldOf(analysis);
  if (!field) return null;
  const { search, compare, change } = analysis;
  const rest = domainOutOfTime(search.domain, field);
  const period = periodOf(analysis.workspace.arch.domain ?? [], field);
  const now = topConditions(search.domain).flatMap((node) =>
    node.kind === 'condition' && node.path.join('.') === field.name ? [String(node.value)] : [],
  );
  const known = periods[now.join(' ')];
  const spans = Object.entries(periods).map(([key, label]): MenuEntry => {
    const [from = '', to = ''] = key.split(' ');
    return {
      key,
      label: t(label),
      isChecked: label === known,
      run: () => change({ domain: [...rest, [field.name, '>=', from], [field.name, '<', to]] }),
    };
  });
  const all: MenuEntry = {
    key: 'all',
    label: t('All time'),
    isChecked: now.length === 0,
    run: () => change({ domain: rest, compare: null }),
  };
  const value = known ? t(known) : now.length > 0 || period ? t('Custom dates') : t('All time');
  return (
    <>
      <Pick icon="calendar" name={field.label} value={value} entries={[all, ...spans]} />
      {period && canCompare && <ComparePick compare={compare} onChange={(wanted) => change({ compare: wanted })} />}
    </>
  );
}

const comparisons: Readonly<Record<Comparison, string>> = {
  previous: mark('Previous period'),
  year: mark('Previous year'),
};

interface ComparePickProps {
  readonly compare: Comparison | null;
  readonly onChange: (compare: Comparison | null) => void;
}

function ComparePick({ compare, onChange }: ComparePickProps) {
  const entries = ([null, 'previous', 'year'] as const).map(
    (one): MenuEntry => ({
      key: one ?? 'none',
      label: one ? t(comparisons[one]) : t('Nothing'),
      isChecked: one === compare,
      run: () => onChange(one),
    }),
  );
  return (
    <Pick
      icon="git-compare"
      name={t('Compare')}
      value={compare ? t(comparisons[compare]) : t('Compare')}
      entries={entries}
    />
  );
}

/** A group of toggle buttons of which one is on. */
export function Switch({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="seg" role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface SwitchButtonProps {
  readonly isOn: boolean;
  readonly label?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button of a `Switch`. */
export function SwitchButton({ isOn, label, onClick, children }: SwitchButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      {...(label ? { 'aria-label': label, title: label } : {})}
    >
      {children}
    </button>
  );
}
