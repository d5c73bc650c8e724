import { Button, defineField, type FieldEditProps, type FieldReadProps, IconButton, Menu, t } from '@kontor/client';
import { stepWords, useOptions } from './options.ts';
import { StepEdit } from './step-edit.tsx';
import type { Json } from './values.tsx';
import { modelOf } from './when.tsx';
import './automations.css';

/** The steps of an automation: `options='{"model": "model"}'` names the field that contains the model. */
export const stepsField = defineField({
  name: 'automation_steps',
  Read: StepsRead,
  Edit: StepsEdit,
  toText: ({ value }) => stepsIn(value).map(stepWord).join(', '),
  layout: 'wide',
});

function stepsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function stepWord(step: Json): string {
  return stepWords().find(([kind]) => kind === step.do)?.[1] ?? String(step.do);
}

function StepsRead({ value }: FieldReadProps) {
  return (
    <ol className="stack gap-3 automations-steps">
      {stepsIn(value).map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity
        <li key={index}>{stepWord(step)}</li>
      ))}
    </ol>
  );
}

const firsts: Readonly<Record<string, Json>> = {
  set: { do: 'set', values: {} },
  create: { do: 'create', model: '', values: {} },
  assign: { do: 'assign', field: '', who: { user: 0 } },
  activity: { do: 'activity', type: 0, summary: '', days: 0, who: { user: 0 } },
  note: { do: 'note', text: '' },
  mail: { do: 'mail', to: '', subject: '', body: '' },
  webhook: { do: 'webhook', webhook: 0 },
  run: { do: 'run', action: '' },
};

function StepsEdit(props: FieldEditProps) {
  const steps = stepsIn(props.value);
  const model = modelOf(props);
  const { models } = useOptions(model);
  const hasChatter = models.find(({ name }) => name === model)?.hasChatter ?? false;
  const put = (next: readonly Json[]) => props.onChange(next.length === 0 ? null : next);
  const move = (from: number, to: number) => {
    const next = [...steps];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  const offered = stepWords().filter(([kind]) => hasChatter || (kind !== 'note' && kind !== 'activity'));
  return (
    <div className="stack pad-s-2" id={props.id}>
      <ol className="stack gap-3 automations-steps" aria-label={t('Steps')}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity
          <li key={index}>
            <StepHead
              step={step}
              number={index + 1}
              count={steps.length}
              onMove={(to) => move(index, to)}
              onRemove={() => put(steps.filter((_, at) => at !== index))}
            />
            <StepEdit
              model={model}
              step={step}
              onChange={(next) => put(steps.map((each, at) => (at === index ? next : each)))}
            />
          </li>
        ))}
      </ol>
      {model === '' ? (
        <p className="mut small">{t('Choose the records first.')}</p>
      ) : (
        <Menu
          label={t('Add a step')}
          entries={offered.map(([kind, label, icon]) => ({
            ...{ key: kind, label, icon },
            run: () => put([...steps, firsts[kind] as Json]),
          }))}
          trigger={(own) => (
            <span>
              <Button icon="plus" {...own}>
                {t('Add a step')}
              </Button>
            </span>
          )}
        />
      )}
    </div>
  );
}

interface HeadProps {
  readonly step: Json;
  readonly number: number;
  readonly count: number;
  /** To an index. */
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

function StepHead({ step, number, count, onMove, onRemove }: HeadProps) {
  const index = number - 1;
  return (
    <div className="row apart">
      <strong>{stepWord(step)}</strong>
      <span className="row">
        <IconButton
          icon="arrow-up"
          label={t('Move step {number} up', { number })}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          icon="arrow-down"
          label={t('Move step {number} down', { number })}
          disabled={number === count}
          onClick={() => onMove(number)}
        />
        <IconButton icon="trash-2" label={t('Remove step {number}', { number })} onClick={onRemove} />
      </span>
    </div>
  );
}
