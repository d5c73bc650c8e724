import { useEffect, useRef, useState } from 'react';
import {
  boardColumns,
  type DragMove,
  expireModel,
  IconButton,
  insertBefore,
  leastTileColumns,
  Menu,
  type MenuEntry,
  mostTileRows,
  offerUndo,
  sendChange,
  showError,
  t,
  useDrag,
  type WorkspacePayload,
} from '../../door/index.ts';
import { TileFrame } from './tile.tsx';
import type { Tile } from './tile-view.ts';
import './arranged-tiles.css';

type Command = readonly unknown[];
type Change = Partial<Pick<Tile, 'name' | 'width' | 'height'>>;

/** A board in edit mode: tiles are dragged by their handles, renamed, resized and removed. */
export function ArrangedTiles({ workspace }: { readonly workspace: WorkspacePayload }) {
  const given = workspace.arch.board?.tiles ?? [];
  // Changes show at once; the next server response replaces them.
  const [shown, setShown] = useState(given);
  const [trial, setTrial] = useState<readonly Tile[] | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => setShown(given), [given]);
  const save = (tiles: readonly Tile[], commands: readonly Command[], done: string) => {
    setShown(tiles);
    saveTiles(workspace.recordId, commands, done).catch((error: unknown) => {
      setShown(given);
      showError(error);
    });
  };
  const change = (tile: Tile, values: Change) => {
    const tiles = shown.map((one) => (one.id === tile.id ? { ...one, ...values } : one));
    save(tiles, [['update', tile.id, values]], t('Changed {name}', { name: tile.name }));
  };
  const remove = (tile: Tile) => {
    const tiles = shown.filter((one) => one.id !== tile.id);
    save(tiles, [['delete', tile.id]], t('Removed {name}', { name: tile.name || t('Hidden') }));
  };
  const moved = ({ item, before }: DragMove) => {
    const order = insertBefore(shown.map(idOf), item, before);
    return [...shown].sort((one, other) => order.indexOf(idOf(one)) - order.indexOf(idOf(other)));
  };
  const lifted = useDrag({
    root: grid,
    isEnabled: true,
    layout: 'wrap',
    isByHandle: true,
    lists: () => [{ key: 'tiles', label: t('Tiles'), items: (trial ?? shown).map(idOf) }],
    nameOf: (item) => shown.find((tile) => idOf(tile) === item)?.name ?? '',
    preview: (move) => setTrial(move && moved(move)),
    drop(move) {
      const tiles = moved(move);
      setTrial(null);
      if (tiles.map(idOf).join() === shown.map(idOf).join()) return;
      const commands = tiles.map((tile, at) => ['update', tile.id, { sequence: (at + 1) * 10 }]);
      save(tiles, commands, t('Moved {name}', { name: tiles.find((tile) => idOf(tile) === move.item)?.name ?? '' }));
    },
  });
  return (
    <div ref={grid} className="stack gap-4 board-grid is-arranged" data-drag-list="tiles">
      {(trial ?? shown).map((tile) => (
        <TileFrame
          key={tile.id}
          tile={tile}
          className={lifted?.item === idOf(tile) ? 'is-lifted' : ''}
          tools={<Tools tile={tile} onChange={(values) => change(tile, values)} onRemove={() => remove(tile)} />}
        />
      ))}
    </div>
  );
}

function idOf({ id }: Tile): string {
  return String(id);
}

async function saveTiles(board: number, commands: readonly Command[], done: string): Promise<void> {
  const { changeSet } = await sendChange({
    model: 'sys.board',
    method: 'write',
    args: [[board], { tile_ids: commands }],
  });
  expireModel('sys.board');
  offerUndo(done, 'sys.board', changeSet);
}

interface ToolsProps {
  readonly tile: Tile;
  readonly onChange: (values: Change) => void;
  readonly onRemove: () => void;
}

/** The drag handle of a tile, its editable name and its size. */
function Tools({ tile, onChange, onRemove }: ToolsProps) {
  const { name, width, height } = tile;
  const size = (key: string, label: string, values: Change, isDisabled: boolean): MenuEntry => ({
    ...{ key, label, isDisabled, isSticky: true },
    run: () => onChange(values),
  });
  const entries: MenuEntry[] = [
    size('wider', t('Wider'), { width: width + 1 }, width >= boardColumns),
    size('narrower', t('Narrower'), { width: width - 1 }, width <= leastTileColumns),
    size('higher', t('Higher'), { height: height + 1 }, height >= mostTileRows),
    size('lower', t('Lower'), { height: height - 1 }, height <= 1),
    { key: 'remove', label: t('Remove'), icon: 'trash-2', isDanger: true, section: '', run: onRemove },
  ];
  const rename = (value: string) => value.trim() !== '' && value.trim() !== name && onChange({ name: value.trim() });
  return (
    <>
      <IconButton
        icon="grip-vertical"
        label={t('Move {name}', { name: name || t('Hidden') })}
        className="tile-handle"
        data-drag-handle
        aria-keyshortcuts="Space Alt+ArrowLeft Alt+ArrowRight"
      />
      {name !== '' && (
        <input
          key={name}
          className="input grow tile-name-input"
          defaultValue={name}
          maxLength={200}
          aria-label={t('Name of the tile')}
          onBlur={(event) => rename(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      <Menu
        entries={entries}
        label={t('Tile options')}
        align="end"
        trigger={(props) => <IconButton icon="ellipsis" label={t('Tile options')} {...props} />}
      />
    </>
  );
}
