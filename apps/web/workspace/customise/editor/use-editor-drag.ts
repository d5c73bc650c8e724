import type { CustomisePreview } from '@kontor/protocol';
import type { RefObject } from 'react';
import { t } from '../../../i18n/messages.ts';
import { type FreeHeld, type Grip, useFreeDrag } from '../../../ui/drag/use-free-drag.ts';
import { labelOf } from './outline.tsx';
import { type OutlineRow, type Place, placeBeside, placeNow, placesFor } from './places.ts';

interface EditorDrag {
  readonly dialog: RefObject<HTMLElement | null>;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly preview: CustomisePreview | null;
  readonly rows: readonly OutlineRow[];
  readonly labels: ReadonlyMap<string, string>;
  readonly addField: (name: string, place: Place) => void;
  readonly move: (row: OutlineRow, place: Place) => void;
}

/** An element of the outline, or a field of the palette: `new:phone`. */
interface EditorGrip extends Grip {
  readonly places: readonly Place[];
  readonly row: OutlineRow | undefined;
}

/** Drags elements of the outline and fields of the palette, to the outline or to the preview, by pointer and keys. */
export function useEditorDrag(editor: EditorDrag): FreeHeld<EditorGrip, Place> | null {
  const { dialog, frame, preview, rows, labels, addField, move } = editor;
  return useFreeDrag<EditorGrip, Place>({
    root: dialog,
    isEnabled: preview !== null,
    gripOf(target) {
      const item = target.closest<HTMLElement>('[data-drag-item]');
      if (!item || !preview) return null;
      const key = item.dataset.dragItem ?? '';
      const row = rows.find(({ node }) => node.xpath === key);
      const places = placesFor(preview.root, row?.node.tag ?? 'field', row?.node ?? null);
      return { item: key, name: item.dataset.label ?? '', isHandle: false, places, row };
    },
    placeAt({ places }, { x, y }) {
      const wanted = placeInOutline(dialog.current, x, y) ?? placeInPreview(frame.current, rows, x, y);
      return wanted && placeBeside(places, rows, wanted);
    },
    placeByKey({ grip: { places, row }, from, key, isLength }) {
      if (isLength || (key !== 'ArrowUp' && key !== 'ArrowDown')) return null;
      const now = from ? places.indexOf(from) : row ? placeNow(places, row) : -1;
      return places[now + (key === 'ArrowUp' ? -1 : 1)] ?? null;
    },
    tell({ expr, position }) {
      const row = rows.find(({ node }) => node.xpath === expr);
      const name = row ? labelOf(row, labels) : '';
      if (position === 'before') return t('Before {name}', { name });
      return position === 'after' ? t('After {name}', { name }) : t('Into {name}', { name });
    },
    drop({ item, row }, place) {
      if (row) move(row, place);
      else addField(item.slice('new:'.length), place);
    },
  });
}

function placeInOutline(dialog: HTMLElement | null, x: number, y: number): Place | null {
  for (const row of dialog?.querySelectorAll<HTMLElement>('[data-node]') ?? []) {
    const { left, right, top, height } = row.getBoundingClientRect();
    if (x < left || x > right || y < top || y >= top + height) continue;
    return { expr: row.dataset.node ?? '', position: y < top + height / 2 ? 'before' : 'after' };
  }
  return null;
}

function placeInPreview(
  frame: HTMLIFrameElement | null,
  rows: readonly OutlineRow[],
  x: number,
  y: number,
): Place | null {
  const box = frame?.getBoundingClientRect();
  const page = frame?.contentDocument;
  if (!box || !page || x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
  const target = page.elementFromPoint(x - box.left, y - box.top)?.closest<HTMLElement>('[data-name]');
  const row = rows.find(({ node }) => node.tag === 'field' && node.name === target?.dataset.name);
  if (!target || !row) return null;
  const { top, height } = target.getBoundingClientRect();
  return { expr: row.node.xpath, position: y - box.top < top + height / 2 ? 'before' : 'after' };
}
