import { type TileKind, tileKinds, type WorkspacePayload } from '@kontor/protocol';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { sendChange } from '../data/changes.ts';
import { toClientError } from '../data/client-error.ts';
import { searchRead } from '../data/rpc.ts';
import { showToast } from '../data/toasts.ts';
import { expireModel } from '../data/workspace-cache.ts';
import { mark, t } from '../i18n/messages.ts';
import { currentPlace, navigate } from '../navigation/router.ts';
import { effectiveSearch, withMeasures } from '../search/effective-search.ts';
import { emptySearch, parseSearch, splitExtra, toQuery } from '../search/search-state.ts';
import { whileBusy } from '../state/idle.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Labelled, LabelledInput } from '../ui/labelled.tsx';

export interface AddToBoardProps {
  readonly workspace: WorkspacePayload;
  readonly onClose: () => void;
}

const kindLabels: Readonly<Record<TileKind, string>> = {
  figure: mark('Figure'),
  graph: mark('Graph'),
  pivot: mark('Pivot'),
  list: mark('List'),
  calendar: mark('Calendar'),
  map: mark('Map'),
};

const sizes: Readonly<Record<TileKind, { readonly width: number; readonly height: number }>> = {
  figure: { width: 3, height: 1 },
  graph: { width: 5, height: 2 },
  pivot: { width: 6, height: 2 },
  list: { width: 4, height: 2 },
  calendar: { width: 3, height: 2 },
  map: { width: 6, height: 2 },
};

interface OwnBoard {
  readonly id: number;
  readonly name: string;
}

/** Asks for the board, the name of the tile and its kind. The tile keeps the search of the screen. */
export function AddToBoard({ workspace, onClose }: AddToBoardProps) {
  const kinds = kindsOf(workspace.viewType);
  const boards = useOwnBoards();
  const [name, setName] = useState(workspace.arch.title);
  const [kind, setKind] = useState<TileKind>(kinds[0] ?? 'list');
  const [chosen, setChosen] = useState<number | null>(null);
  const [boardName, setBoardName] = useState(t('My board'));
  const [problem, setProblem] = useState('');
  const form = useId();
  const target = chosen ?? boards?.[0]?.id ?? 0;
  const add = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const board = boards?.find(({ id }) => id === target);
      const id = await whileBusy(addTile({ workspace, kind, name }, board?.id ?? 0, boardName));
      onClose();
      showAdded(id, board?.name ?? boardName);
    } catch (error) {
      setProblem(toClientError(error).message);
    }
  };
  return (
    <Dialog
      title={t('Add to a board')}
      width={420}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" form={form} disabled={boards === null}>
            {t('Add')}
          </Button>
        </>
      }
    >
      <form id={form} className="stack gap-3" onSubmit={add}>
        <LabelledInput
          label={t('Name')}
          problem={problem || undefined}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {kinds.length > 1 && (
          <Choice
            label={t('Show as')}
            options={kinds.map((one) => [one, t(kindLabels[one])])}
            value={kind}
            onChange={(value) => setKind(value as TileKind)}
          />
        )}
        <BoardChoice {...{ boards, target, boardName, setChosen, setBoardName }} />
      </form>
    </Dialog>
  );
}

function showAdded(id: number, board: string): void {
  showToast({
    kind: 'success',
    title: t('Added to {board}', { board }),
    action: { label: t('Open'), run: () => void navigate(`/web?model=sys.board&view_type=form&id=${id}`) },
  });
}

interface BoardChoiceProps {
  readonly boards: readonly OwnBoard[] | null;
  /** The board's id; 0 for a new one. */
  readonly target: number;
  readonly boardName: string;
  readonly setChosen: (id: number) => void;
  readonly setBoardName: (name: string) => void;
}

function BoardChoice({ boards, target, boardName, setChosen, setBoardName }: BoardChoiceProps) {
  return (
    <>
      <Choice
        label={t('Board')}
        options={[...(boards ?? []).map(({ id, name }) => [id, name] as const), [0, t('New board')]]}
        value={target}
        onChange={(value) => setChosen(Number(value))}
      />
      {target === 0 && boards !== null && (
        <LabelledInput
          label={t('Name of the board')}
          required
          maxLength={200}
          value={boardName}
          onChange={(event) => setBoardName(event.target.value)}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string | number, label: string])[];
  readonly value: string | number;
  readonly onChange: (value: string) => void;
}

function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(props) => (
        <select {...props} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** The kinds of tile that a view can become: as it is, or as one figure. */
function kindsOf(viewType: string): readonly TileKind[] {
  const same = tileKinds.filter((kind) => kind === viewType);
  return viewType === 'calendar' || viewType === 'map' ? same : [...same, 'figure'];
}

function useOwnBoards(): readonly OwnBoard[] | null {
  const [boards, setBoards] = useState<readonly OwnBoard[] | null>(null);
  useEffect(() => {
    whileBusy(searchRead('sys.board', [['user_id', '=', '$uid']], ['name'])).then(
      (rows) => setBoards(rows.map(({ id, name }) => ({ id, name: String(name) }))),
      () => setBoards([]),
    );
  }, []);
  return boards;
}

interface NewTile {
  readonly workspace: WorkspacePayload;
  readonly kind: TileKind;
  readonly name: string;
}

/** Adds a tile at the end of the board, and returns the board's id. */
async function addTile(tile: NewTile, board: number, boardName: string): Promise<number> {
  const { workspace, kind, name } = tile;
  const { key } = workspace.arch;
  const screen = key && key !== workspace.model ? { action: key } : {};
  const values = { name, kind, ...sizes[kind], ...screen, model: workspace.model, query: queryOf(tile) };
  const [last] = board
    ? await searchRead('sys.board.tile', [['board_id', '=', board]], ['sequence'], { limit: 1, order: '-sequence' })
    : [];
  const commands = [['create', { ...values, sequence: Number(last?.sequence ?? 0) + 10 }]];
  const call = board
    ? { model: 'sys.board', method: 'write' as const, args: [[board], { tile_ids: commands }] }
    : { model: 'sys.board', method: 'create' as const, args: [{ name: boardName, tile_ids: commands }] };
  const { result } = await sendChange<number | true>(call);
  expireModel('sys.board');
  return result === true ? board : result;
}

/** Keeps the records the screen was opened from: without them it would show others. */
const kept = ['context', 'active_ids'];

function queryOf({ workspace, kind }: NewTile): string {
  const now = withMeasures(workspace, effectiveSearch(workspace, parseSearch(currentPlace().query)));
  const { text, filters, groupBy, domain, sort, extra } = now;
  const others = Object.fromEntries(kept.flatMap((name) => (extra[name] ? [[name, extra[name]]] : [])));
  const isCount = kind === 'figure' && workspace.viewType === 'list';
  const own = { ...splitExtra(extra, true), ...others, ...(isCount ? { measure: '__count' } : {}) };
  return toQuery({ ...emptySearch, text, filters, groupBy: isCount ? [] : groupBy, domain, sort, extra: own });
}
