import type { ArchField, FieldNode } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { holds } from '../../data/conditions.ts';
import { shownRecord, valueIn } from '../../data/form/form-state.ts';
import { searchRead } from '../../data/rpc.ts';
import { useStorePart } from '../../state/store.ts';
import { usePhone } from '../../ui/use-phone.ts';
import { useOpenForm } from './use-form.ts';
import './status-bar.css';

interface Step {
  readonly value: string | number;
  readonly label: string;
}

interface StatusBarProps {
  readonly node: FieldNode;
  onSave(): Promise<boolean>;
}

/** Where the record stands on its way; a click moves it where the field may be written. */
export function StatusBar({ node, onSave }: StatusBarProps) {
  const open = useOpenForm();
  const field = open.workspace.arch.fields.find((one) => one.name === node.name);
  const given = useStorePart(open.form, (state) => valueIn(state, node.name));
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const name = useStorePart(open.form, (state) => shownRecord(state)[`${node.name}.display_name`]);
  const isHidden = useStorePart(open.form, (state) => holds(node.invisible, shownRecord(state)));
  const isReadonly = useStorePart(open.form, (state) => holds(node.readonly, shownRecord(state)));
  const stages = useStages(field, node);
  const isPhone = usePhone();
  if (!field || isHidden) return null;
  const steps = withCurrent(field.selection ? ofSelection(field, node, given) : stages, given, name);
  // A new record is shown in the first step; the server sets it when the record is saved.
  const value = isNew && (given ?? null) === null ? steps[0]?.value : given;
  const isFixed =
    isReadonly || field.readonly || !open.workspace.arch.rights.write || node.options?.clickable === false;
  const label = node.label ?? field.label;
  const choose = (step: Step | undefined) => {
    if (isFixed || !step || step.value === value) return;
    open.set(node.name, step.value, { [`${node.name}.display_name`]: step.label });
    if (open.form.get().id !== 0) void onSave();
  };
  const at = steps.findIndex((step) => step.value === value);
  if (isPhone) {
    return (
      <select
        className="input status-select"
        aria-label={label}
        disabled={isFixed}
        value={String(value ?? '')}
        onChange={(event) => choose(steps.find((step) => String(step.value) === event.target.value))}
      >
        {at < 0 && <option value="" />}
        {steps.map((step) => (
          <option key={step.value} value={String(step.value)}>
            {step.label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <div className="status" role="group" aria-label={label}>
      {steps.map((step, index) => (
        <button
          key={step.value}
          type="button"
          className={`status-step ${index < at ? 'status-was' : ''}`}
          aria-current={step.value === value ? 'step' : undefined}
          aria-disabled={isFixed}
          onClick={() => choose(step)}
        >
          {step.label}
        </button>
      ))}
    </div>
  );
}

function ofSelection(field: ArchField, node: FieldNode, value: unknown): readonly Step[] {
  const wanted = node.options?.visible;
  const steps = (field.selection ?? []).map(([key, label]) => ({ value: key, label }));
  return steps.filter((step) => !Array.isArray(wanted) || wanted.includes(step.value) || step.value === value);
}

/** The present stage shows although it is archived or not loaded yet. */
function withCurrent(steps: readonly Step[], value: unknown, name: unknown): readonly Step[] {
  if (typeof value !== 'number' || typeof name !== 'string' || steps.some((step) => step.value === value)) return steps;
  return [...steps, { value, label: name }];
}

function useStages(field: ArchField | undefined, node: FieldNode): readonly Step[] {
  const [stages, setStages] = useState<readonly Step[]>([]);
  const domain = JSON.stringify(node.domain ?? field?.domain ?? []);
  const model = field?.relation;
  useEffect(() => {
    if (model === undefined) return;
    searchRead(model, JSON.parse(domain), ['display_name'], { limit: 12 }).then(
      (found) => setStages(found.map((one) => ({ value: one.id, label: String(one.display_name ?? '') }))),
      () => {},
    );
  }, [model, domain]);
  return stages;
}
