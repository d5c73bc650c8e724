import type { CustomiseData, CustomisePreview, WorkspacePayload } from '@kontor/protocol';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useModelFields } from '../../../data/model-fields.ts';
import { request } from '../../../data/request.ts';
import { announce } from '../../../data/toasts.ts';
import { t } from '../../../i18n/messages.ts';
import { emptySearch } from '../../../search/search-state.ts';
import { bootstrap } from '../../../state/bootstrap.ts';
import { whileBusy } from '../../../state/idle.ts';
import { viewOf } from '../../view-lookup.ts';
import { messagesOf, sourceOf } from '../new-field.ts';
import { EditorBar } from './editor-bar.tsx';
import { changesOf, type Edit, type Words } from './edits.ts';
import { labelOf, labelsOf, Outline } from './outline.tsx';
import {
  elementStep,
  fieldStep,
  moveStep,
  type OutlineRow,
  outlineOf,
  type Place,
  placeAfter,
  placeNow,
  placesFor,
  type Step,
} from './places.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { Properties } from './properties.tsx';
import { useEditorDrag } from './use-editor-drag.ts';
import '../styles.css';
import './editor.css';

interface EditorProps {
  readonly workspace: WorkspacePayload;
  readonly onClose: () => void;
}

/** Changes a form, a list or a board for everybody, beside the screen as it would be. */
// Over 60 lines: the state of the editor and what changes it.
export function Editor({ workspace, onClose }: EditorProps) {
  const { model, viewType } = workspace;
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLIFrameElement | null>(null);
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  const [at, setAt] = useState(0);
  const [lang, setLang] = useState(bootstrap().lang);
  const [isPhone, setPhone] = useState(false);
  const [selected, setSelected] = useState<string | null>(null);
  const made = useMemo(() => edits.slice(0, at), [edits, at]);
  const { preview, data, failure, count } = usePreview(workspace, made, lang);
  const fields = useModelFields(model);
  const rows = useMemo(() => (preview ? outlineOf(preview.root) : []), [preview]);
  const labels = useMemo(() => (preview ? labelsOf(preview) : new Map<string, string>()), [preview]);
  const row = rows.find(({ node }) => node.xpath === selected);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const add = (step: Step, words?: Words) => {
    setEdits([...made, { step, words }]);
    setAt(made.length + 1);
  };
  const addField = (name: string, place = preview && placeAfter(placesFor(preview.root, 'field', null), rows, row)) => {
    if (!place) return;
    add(fieldStep(place, name));
    setSelected(`//field[@name='${name}']`);
  };
  const addPart = (tag: 'group' | 'page') => {
    if (!preview) return;
    const places = placesFor(preview.root, tag, null);
    const label = freeLabel(tag === 'group' ? t('New group') : t('New tab'), rows);
    // Without tabs, the first one brings them.
    const kind = tag === 'page' && places.length === 0 ? 'notebook' : tag;
    const place = placeAfter(kind === 'notebook' ? placesFor(preview.root, 'group', null) : places, rows, row);
    if (!place) return;
    add(elementStep(place, kind, label));
    setSelected(`//${tag}[@label='${label}']`);
  };
  const move = (moved: OutlineRow, place: Place) => {
    add(moveStep(place, moved.node));
    setSelected(moved.node.xpath);
  };
  const moveBy = (moved: OutlineRow, by: -1 | 1) => {
    const places = preview ? placesFor(preview.root, moved.node.tag, moved.node) : [];
    const place = places[placeNow(places, moved) + by];
    if (place) move(moved, place);
    else announce(t('It cannot be moved further.'));
  };
  const held = useEditorDrag({ dialog, frame, preview, rows, labels, addField, move });
  const pick = (element: Element) => {
    const name = element.closest<HTMLElement>('[data-name]')?.dataset.name ?? columnAt(element);
    const found = rows.find(({ node }) => node.tag === 'field' && node.name === name) ?? rowWithLabel(rows, element);
    if (found) setSelected(found.node.xpath);
  };
  const keepFrame = useCallback((made: HTMLIFrameElement) => {
    frame.current = made;
  }, []);
  const { Component } = viewOf(viewType);
  const shown = useMemo(() => preview && shownWorkspace(preview.workspace), [preview]);
  const source = data ? sourceOf(data) : undefined;
  return (
    <dialog
      ref={dialog}
      className="canvas ink pad-0 no-border editor"
      aria-label={t('Edit this screen')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <EditorBar
        {...{ preview, data, failure, lang, isPhone, onClose }}
        title={preview?.workspace.arch.title ?? workspace.arch.title}
        edits={made}
        canUndo={at > 0}
        canRedo={at < edits.length}
        onUndo={() => setAt(at - 1)}
        onRedo={() => setAt(at + 1)}
        onLang={setLang}
        onPhone={setPhone}
      />
      <div className="scroll surface ruled-end editor-side">
        {preview && (
          <Outline
            {...{ preview, rows, selected }}
            drop={held?.place ?? null}
            onSelect={setSelected}
            onAddField={(name) => addField(name)}
            onAddPart={addPart}
          />
        )}
      </div>
      <div className="column gap-2 shrink pad-3 editor-stage">
        <PreviewFrame
          {...{ isPhone, lang }}
          selected={row?.node.tag === 'field' ? row.node.name : null}
          onReady={keepFrame}
          onPick={pick}
        >
          {shown && (
            <Component key={count} workspace={shown} search={searchOf(shown)} isLoading={false} isPartial={false} />
          )}
        </PreviewFrame>
      </div>
      <div className="scroll surface ruled-end editor-side">
        {row && preview && data ? (
          <Properties
            key={`${row.node.xpath} ${count}`}
            {...{ row, fields }}
            label={labelOf(row, labels)}
            languages={data.languages.filter(({ code }) => code !== source?.code)}
            words={preview.words}
            onStep={add}
            onMove={(by) => moveBy(row, by)}
          />
        ) : (
          <p className="mut pad-3">
            {t('Select an element to change it. Drag it, or press Space and the arrow keys, to move it.')}
          </p>
        )}
      </div>
    </dialog>
  );
}

/** The screen after the changes, and what the model offers. An answer that comes late is dropped. */
function usePreview({ model, viewType, actionId, recordId }: WorkspacePayload, edits: readonly Edit[], lang: string) {
  const [preview, setPreview] = useState<CustomisePreview | null>(null);
  const [data, setData] = useState<CustomiseData | null>(null);
  const [failure, setFailure] = useState('');
  const [count, setCount] = useState(0);
  const view = useRef('');
  useEffect(() => {
    const query = new URLSearchParams({ model });
    whileBusy(request<{ result: CustomiseData }>(`/web/customise?${query}`)).then(
      ({ body }) => setData(body.result),
      (error: unknown) => setFailure(messagesOf(error)),
    );
  }, [model]);
  useEffect(() => {
    let isLate = false;
    const json = {
      ...{ model, type: viewType, lang, id: recordId, action: actionId > 0 ? String(actionId) : '' },
      changes: changesOf(view.current, model, edits),
    };
    whileBusy(request<{ result: CustomisePreview }>('/web/customise/preview', { json })).then(
      ({ body }) => {
        if (isLate) return;
        view.current = body.result.view;
        setPreview(body.result);
        setCount((now) => now + 1);
        setFailure('');
      },
      (error: unknown) => !isLate && setFailure(messagesOf(error)),
    );
    return () => {
      isLate = true;
    };
  }, [model, viewType, lang, recordId, actionId, edits]);
  return { preview, data, failure, count };
}

/** As everybody sees it: without the columns that the author chose for themselves. */
function shownWorkspace({ arch: { columns: _, ...arch }, ...workspace }: WorkspacePayload): WorkspacePayload {
  return { ...workspace, arch };
}

function searchOf({ model, viewType, recordId }: WorkspacePayload) {
  return { ...emptySearch, model, viewType, recordId };
}

function freeLabel(label: string, rows: readonly OutlineRow[]): string {
  const taken = new Set(rows.map(({ node }) => node.attributes.label));
  for (let number = 1; ; number++) {
    const made = number === 1 ? label : `${label} ${number}`;
    if (!taken.has(made)) return made;
  }
}

function columnAt(element: Element): string | undefined {
  const cell = element.closest<HTMLElement>('[data-col]');
  const at = cell ? `th[aria-colindex="${Number(cell.dataset.col) + 2}"]` : 'th';
  const head = cell ? element.closest('table, [role="grid"]')?.querySelector(at) : element.closest(at);
  return head?.querySelector<HTMLElement>('[data-column]')?.dataset.column;
}

function rowWithLabel(rows: readonly OutlineRow[], element: Element): OutlineRow | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const text = at.textContent?.trim();
    const found = text ? rows.find(({ node }) => node.label === text) : undefined;
    if (found) return found;
  }
  return undefined;
}
