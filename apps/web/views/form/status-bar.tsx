import { useEffect, useState } from 'react';
import {
  type Arch,
  type ArchField,
  type FieldNode,
  holds,
  type RecordValues,
  type StatesArch,
  searchRead,
  showError,
  shownRecord,
  usePhone,
  useStorePart,
  valueIn,
  whileBusy,
} from '../../door/index.ts';
import type { Step } from './move-step.ts';
import { useOpenForm } from './use-form.ts';
import './status-bar.css';

interface StatusBarProps {
  readonly node: FieldNode;
  onSave(): Promise<boolean>;
}

/** The progress of the record. Stages within its state can be clicked; other states are reached with a move. */
export function StatusBar({ node, onSave }: StatusBarProps) {
  const open = useOpenForm();
  const { arch } = open.workspace;
  const field = arch.fields.find((one) => one.name === node.name);
  const given = useStorePart(open.form, (state) => valueIn(state, node.name));
  const isHidden = useStorePart(open.form, (state) => holds(node.invisible, shownRecord(state)));
  const isFixed = useStorePart(open.form, (state) => isFixedFor(arch, node, shownRecord(state)));
  useStorePart(open.form, (state) => shownWith(arch.states, node, shownRecord(state)));
  const isPhone = usePhone();
  const related = useRelated(field, node, arch.states);
  if (!field || isHidden) return null;
  const record = shownRecord(open.form.get());
  const found = stepsOf({ field, node, states: arch.states, related, record, value: given });
  const off = abandonedStep(arch, node, record);
  const steps = [...found, ...(off ? [off] : [])].map((step) => ({ ...step, isOpen: step.isOpen && !isFixed }));
  // A new record shows the first step; the server sets it on save.
  const value = off?.value ?? (record.id === 0 && (given ?? null) === null ? steps[0]?.value : given);
  const label = node.label ?? field.label;
  const choose = (step: Step | undefined) => {
    if (!step?.isOpen || step.value === value) return;
    const moved = import('./move-step.ts').then(({ moveTo }) => moveTo(open, node.name, step, onSave));
    void whileBusy(moved).catch(showError);
  };
  const at = steps.findIndex((step) => step.value === value);
  const isOff = steps[at]?.isOff === true;
  const bar = (
    <ol className="row rigid small gap-0 status" aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step.value}
          className={`row mut gap-0 status-step ${index < at && !isOff ? 'status-was' : ''} ${step.isOff ? 'status-off' : ''}`}
          aria-current={index === at ? 'step' : undefined}
          title={step.label}
        >
          {step.isOpen && index !== at && !isPhone ? (
            <button type="button" className="hovers inks" onClick={() => choose(step)}>
              <span>{step.label}</span>
            </button>
          ) : (
            <span>{step.label}</span>
          )}
        </li>
      ))}
    </ol>
  );
  if (!isPhone) return bar;
  return (
    <div className="grow anchor least-44 stack gap-0 status-phone">
      {bar}
      <StepSelect {...{ label, steps, at }} onChoose={choose} />
    </div>
  );
}

interface StepSelectProps {
  readonly label: string;
  readonly steps: readonly Step[];
  readonly at: number;
  readonly onChoose: (step: Step | undefined) => void;
}

/** Covers the bar on a phone, where its steps are too small to touch. */
function StepSelect({ label, steps, at, onChoose }: StepSelectProps) {
  return (
    <select
      className="full tall pin cover no-border unseen status-select"
      aria-label={label}
      disabled={!steps.some((step, index) => step.isOpen && index !== at)}
      value={String(steps[at]?.value ?? '')}
      onChange={(event) => onChoose(steps.find((step) => String(step.value) === event.target.value))}
    >
      {at < 0 && <option value="" />}
      {steps.map((step, index) => (
        <option key={step.value} value={String(step.value)} disabled={!step.isOpen && index !== at}>
          {step.label}
        </option>
      ))}
    </select>
  );
}

/** The final step of an abandoned record. */
function abandonedStep({ states, fields }: Arch, { name }: FieldNode, record: RecordValues): Step | undefined {
  const state = record[states?.field ?? ''] as string;
  if (!states?.abandoned?.includes(state) || ![states.field, states.stages?.field].includes(name)) return undefined;
  const label = fields.find(({ name }) => name === states.field)?.selection?.find(([key]) => key === state)?.[1];
  return { value: state, label: label ?? state, isOpen: false, isOff: true };
}

function isFixedFor({ fields, rights }: Arch, node: FieldNode, record: RecordValues): boolean {
  const field = fields.find((one) => one.name === node.name);
  if (field?.readonly || node.options?.clickable === false || holds(node.readonly, record)) return true;
  return !(record.id === 0 ? rights.create : rights.write);
}

/** Other values that affect the bar, as one string. */
function shownWith(states: StatesArch | undefined, { name }: FieldNode, record: RecordValues): string {
  const names = ['id', `${name}.display_name`, states?.field ?? '', states?.stages?.within ?? ''];
  return JSON.stringify(names.map((one) => record[one]));
}

interface StepSource {
  readonly field: ArchField;
  readonly node: FieldNode;
  readonly states: StatesArch | undefined;
  /** Records of the related model, if no states define the stages. */
  readonly related: readonly Step[];
  readonly record: RecordValues;
  readonly value: unknown;
}

function stepsOf({ field, node, states, related, record, value }: StepSource): readonly Step[] {
  if (field.selection) {
    const wanted = node.options?.visible;
    const isOpen = field.name !== states?.field;
    const steps = field.selection.map(([key, label]) => ({ value: key, label, isOpen }));
    const shown = isOpen ? steps : steps.filter((step) => !states?.abandoned?.includes(step.value));
    return shown.filter((step) => !Array.isArray(wanted) || wanted.includes(step.value) || step.value === value);
  }
  const name = record[`${field.name}.display_name`];
  const steps = states?.stages?.field === field.name ? stageSteps(states, record, value) : related;
  if (typeof value !== 'number' || typeof name !== 'string' || steps.some((step) => step.value === value)) return steps;
  if (states?.abandoned?.includes(record[states.field] as string)) return steps;
  // The current stage is shown even if it is archived or not loaded yet.
  return [...steps, { value, label: name, isOpen: false }];
}

function stageSteps(
  { field, stages, abandoned = [] }: StatesArch,
  record: RecordValues,
  value: unknown,
): readonly Step[] {
  const { within, steps = [] } = stages ?? {};
  const owner = within === undefined ? null : record[within];
  const fitting = steps.filter((step) => !step.within || step.within.includes(owner as number) || step.id === value);
  const state = record[field] ?? fitting.find((step) => step.id === value)?.state ?? fitting[0]?.state;
  return fitting
    .filter((step) => !abandoned.includes(step.state))
    .map((step) => ({ value: step.id, label: step.label, isOpen: step.state === state }));
}

function useRelated(field: ArchField | undefined, node: FieldNode, states: StatesArch | undefined): readonly Step[] {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const domain = JSON.stringify(node.domain ?? field?.domain ?? []);
  const model = states?.stages?.field === node.name ? undefined : field?.relation;
  useEffect(() => {
    if (model === undefined) return;
    searchRead(model, JSON.parse(domain), ['display_name'], { limit: 12 }).then(
      (found) =>
        setSteps(found.map(({ id, display_name: name }) => ({ value: id, label: String(name ?? ''), isOpen: true }))),
      () => {},
    );
  }, [model, domain]);
  return steps;
}
