import type { CustomCheckData, FormulaCheck } from '@kontor/protocol';
import { type FormEvent, useEffect, useState } from 'react';
import { request } from '../../../data/request.ts';
import { t } from '../../../i18n/messages.ts';
import { whileBusy } from '../../../state/idle.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Labelled, LabelledInput } from '../../../ui/labelled.tsx';
import { Tick } from '../controls.tsx';
import { freeName } from './states-edit.ts';

interface CheckListProps {
  readonly model: string;
  readonly checks: readonly CustomCheckData[];
  /** The names that apply; without it, all do. */
  readonly picked?: readonly string[];
  readonly onPick?: (picked: readonly string[]) => void;
  /** `added` is the name of a new one. */
  readonly onChange: (checks: readonly CustomCheckData[], added?: string) => void;
}

/** Formulas that give yes or no, with the message when they do not hold. */
// Over 60 lines: the list and the form that takes its place.
export function CheckList({ model, checks, picked, onPick, onChange }: CheckListProps) {
  const [open, setOpen] = useState<CustomCheckData | null>(null);
  if (open)
    return (
      <CheckForm
        {...{ model }}
        given={open}
        onClose={() => setOpen(null)}
        onDone={(formula, message) => {
          setOpen(null);
          const name =
            open.name ||
            freeName(
              message,
              checks.map((each) => each.name),
            );
          const next = { name, formula, message };
          if (open.name) onChange(checks.map((each) => (each.name === name ? { ...each, ...next } : each)));
          else onChange([...checks, next], name);
        }}
      />
    );
  return (
    <>
      {checks.map((check) => (
        <div key={check.name} className="stack gap-half">
          <div className="line gap-2">
            <span className="share">
              {picked && onPick ? (
                <Tick
                  label={check.message}
                  isOn={picked.includes(check.name)}
                  onChange={(isOn) => {
                    const own = picked.filter(
                      (name) => checks.some((each) => each.name === name) && name !== check.name,
                    );
                    onPick(isOn ? [...own, check.name] : own);
                  }}
                />
              ) : (
                check.message
              )}
            </span>
            <IconButton
              icon="pencil"
              label={t('Change {name}', { name: check.message })}
              onClick={() => setOpen(check)}
            />
            <IconButton
              icon="trash-2"
              label={t('Delete {name}', { name: check.message })}
              onClick={() => onChange(checks.filter((each) => each !== check))}
            />
          </div>
          <code className="small mut break" dir="ltr">
            {check.formula}
          </code>
        </div>
      ))}
      <Button icon="plus" onClick={() => setOpen({ name: '', formula: '', message: '' })}>
        {t('Add a condition')}
      </Button>
    </>
  );
}

interface CheckFormProps {
  readonly model: string;
  readonly given: CustomCheckData;
  readonly onClose: () => void;
  readonly onDone: (formula: string, message: string) => void;
}

function CheckForm({ model, given, onClose, onDone }: CheckFormProps) {
  const [formula, setFormula] = useState(given.formula);
  const [message, setMessage] = useState(given.message);
  const problem = useProblem(model, formula);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === '' && formula.trim() !== '' && message.trim() !== '') onDone(formula.trim(), message.trim());
  };
  return (
    <form className="stack gap-2" onSubmit={submit}>
      <Labelled
        label={t('Formula')}
        hint={t('It gives yes or no: amount > 0 and not isempty(partner_id)')}
        problem={problem || undefined}
      >
        {(props) => (
          <textarea
            {...props}
            className="input mono high-auto pad-y-2"
            rows={3}
            required
            maxLength={1000}
            spellCheck={false}
            dir="ltr"
            value={formula}
            onChange={(event) => setFormula(event.target.value.replaceAll(/\s+/g, ' '))}
          />
        )}
      </Labelled>
      <LabelledInput
        label={t('Message when it does not hold')}
        required
        maxLength={200}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className="row gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button kind="primary" type="submit">
          {t('Done')}
        </Button>
      </div>
    </form>
  );
}

/** What is wrong with the formula while it is typed. An answer that comes late is dropped. */
function useProblem(model: string, formula: string): string {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (formula.trim() === '') return setProblem('');
    let isLate = false;
    const query = new URLSearchParams({ model, type: 'boolean', formula: formula.trim() });
    whileBusy(request<{ result: FormulaCheck }>(`/web/customise/formula?${query}`)).then(
      ({ body }) => !isLate && setProblem(body.result.problem?.message ?? ''),
      () => {},
    );
    return () => {
      isLate = true;
    };
  }, [model, formula]);
  return problem;
}
