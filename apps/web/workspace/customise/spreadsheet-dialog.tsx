import { type CustomiseData, fieldType, type SpreadsheetGuess } from '@kontor/protocol';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { request } from '../../data/request.ts';
import { rpc } from '../../data/rpc.ts';
import { csrfToken } from '../../data/session.ts';
import { t, tn } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from './controls.tsx';
import { ModelForm } from './model-form.tsx';
import { messagesOf, sourceOf } from './new-field.ts';
import { addModelChange, emptyModel, modelName, type NewModel } from './new-model.ts';
import { type Column, Columns, columnsFrom, fieldsOf } from './spreadsheet-columns.tsx';
import { useCustomiseData } from './use-customise-data.ts';
import './styles.css';

interface SpreadsheetProps {
  /** A file that was dropped. */
  readonly file?: File | undefined;
  readonly onClose: () => void;
}

/** A spreadsheet becomes a model: its columns are fields, and its rows are imported after it is published. */
export function SpreadsheetDialog({ file: dropped, onClose }: SpreadsheetProps) {
  const sheet = useSpreadsheet(dropped);
  const { data, guess, problem, isBusy } = sheet;
  const input = useRef<HTMLInputElement>(null);
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sheet.send();
  };
  return (
    <Dialog
      title={t('Add a model from a spreadsheet')}
      width={guess ? 760 : 480}
      onClose={onClose}
      footer={
        <>
          <Problem text={problem} />
          <Button onClick={onClose}>{t('Cancel')}</Button>
          {guess ? (
            <Button kind="primary" type="submit" form={form} disabled={!data || isBusy}>
              {tn('Publish and import {n} row', 'Publish and import {n} rows', guess.total)}
            </Button>
          ) : (
            <Button kind="primary" disabled={isBusy} onClick={() => input.current?.click()}>
              {isBusy ? t('Reading …') : t('Choose a file')}
            </Button>
          )}
        </>
      }
    >
      {data && guess ? (
        <form id={form} className="stack gap-3" onSubmit={submit}>
          <ModelForm {...{ data }} given={sheet.given} source={sourceOf(data)} onChange={sheet.change} />
          <h3>{t('Columns')}</h3>
          <Columns
            {...{ data }}
            columns={sheet.columns}
            title={sheet.title}
            onChange={sheet.setColumns}
            onTitle={sheet.setTitle}
          />
        </form>
      ) : (
        <p>{t('Choose a CSV file or an Excel workbook. Its columns become fields and its rows records.')}</p>
      )}
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx"
        aria-label={t('Spreadsheet')}
        hidden
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) void sheet.take(chosen);
          event.target.value = '';
        }}
      />
    </Dialog>
  );
}

/** A file with what was guessed of it and what the person made of that. */
function useSpreadsheet(dropped: File | undefined) {
  const { data, problem: failure } = useCustomiseData('');
  const [file, setFile] = useState<File | null>(null);
  const [guess, setGuess] = useState<SpreadsheetGuess | null>(null);
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const [title, setTitle] = useState('');
  const [given, setGiven] = useState<NewModel>(emptyModel);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const busily = async (work: () => Promise<void>) => {
    setProblem('');
    setBusy(true);
    try {
      await whileBusy(work());
    } catch (error) {
      setProblem(messagesOf(error));
    } finally {
      setBusy(false);
    }
  };
  const take = (chosen: File) =>
    busily(async () => {
      const found = await guessOf(chosen);
      setFile(chosen);
      setGuess(found);
      setColumns(columnsFrom(found.columns));
      setTitle(found.title);
      setGiven({ ...emptyModel, plural: found.name });
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dropped file is read once.
  useEffect(() => {
    if (dropped) void take(dropped);
  }, [dropped]);
  const send = () => {
    if (data && file) void busily(() => publish(data, given, { file, columns, title }));
  };
  const change = (next: Partial<NewModel>) => setGiven((before) => ({ ...before, ...next }));
  return {
    data,
    guess,
    columns,
    setColumns,
    title,
    setTitle,
    given,
    change,
    problem: problem || failure,
    isBusy,
    take,
    send,
  };
}

function formWith(file: File): FormData {
  const form = new FormData();
  form.set('csrf_token', csrfToken());
  form.set('file', file, file.name);
  return form;
}

async function guessOf(file: File): Promise<SpreadsheetGuess> {
  const form = formWith(file);
  const { body } = await request<{ result: SpreadsheetGuess }>('/web/customise/spreadsheet', { form });
  return body.result;
}

interface Sheet {
  readonly file: File;
  readonly columns: readonly Column[];
  readonly title: string;
}

/** Publishes the model with its fields, stages the file with its columns mapped, and opens the import. */
async function publish(data: CustomiseData, given: NewModel, { file, columns, title }: Sheet): Promise<void> {
  const model = modelName(given, data);
  const hasCompany = given.hasCompany && given.whole === '';
  const { changes: fields, mapping } = fieldsOf(model, columns, title, hasCompany);
  const added = addModelChange(given, data);
  const typed = (fits: (type: ReturnType<typeof fieldType>) => boolean) =>
    fields.find(({ field }) => fits(fieldType(field.type)))?.name;
  const [board, calendar] = [typed((type) => type.isChoice), typed((type) => type.isDate)];
  const titled = columns.find(({ header }) => header === title)?.label.trim();
  const spec = {
    ...added.spec,
    ...(titled && { title: titled }),
    ...(board && { board }),
    ...(calendar && { calendar }),
  };
  const { base, draft } = data;
  await request('/web/customise', { json: { do: 'publish', base, draft, changes: [{ ...added, spec }, ...fields] } });
  const form = formWith(file);
  form.set('model', model);
  form.set('next', `/web?${new URLSearchParams({ model, view_type: 'list' })}`);
  const { body } = await request<{ result: { id: number; redirect: string } }>('/web/bulk/upload', { form });
  const { id, redirect } = body.result;
  await rpc({ model: 'sys.bulk.import', method: 'write', args: [[id], { column_mapping: mapping }] });
  location.assign(redirect);
}
