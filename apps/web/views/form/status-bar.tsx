import type { FieldNode } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { valueIn } from '../../data/form/form-state.ts';
import { searchRead } from '../../data/rpc.ts';
import { useStorePart } from '../../data/store.ts';
import { useOpenForm } from './form-context.ts';

interface Step {
  readonly value: string | number;
  readonly label: string;
}

/** Where the record stands on its way; a click moves it where the field may be written. */
export function StatusBar({ node }: { readonly node: FieldNode }) {
  const open = useOpenForm();
  const field = open.workspace.arch.fields.find((one) => one.name === node.name);
  const value = useStorePart(open.form, (state) => valueIn(state, node.name));
  const stages = useStages(field?.relation);
  if (!field) return null;
  const wanted = node.options?.visible;
  const steps: readonly Step[] = field.selection
    ? field.selection
        .map(([key, label]) => ({ value: key, label }))
        .filter((step) => !Array.isArray(wanted) || wanted.includes(step.value) || step.value === value)
    : stages;
  const isFixed = field.readonly || node.readonly === true || node.options?.clickable === false;
  return (
    <div className="status" role="group" aria-label={node.label ?? field.label}>
      {steps.map((step) => (
        <button
          key={step.value}
          type="button"
          className="status-step"
          aria-current={step.value === value ? 'step' : undefined}
          disabled={isFixed && step.value !== value}
          onClick={() => {
            if (isFixed || step.value === value) return;
            open.set(node.name, step.value, { [`${node.name}.display_name`]: step.label });
            void open.save();
          }}
        >
          {step.label}
        </button>
      ))}
    </div>
  );
}

function useStages(model: string | undefined): readonly Step[] {
  const [stages, setStages] = useState<readonly Step[]>([]);
  useEffect(() => {
    if (model === undefined) return;
    searchRead(model, [], ['display_name'], { limit: 12 }).then(
      (found) => setStages(found.map((one) => ({ value: one.id, label: String(one.display_name ?? '') }))),
      () => {},
    );
  }, [model]);
  return stages;
}
