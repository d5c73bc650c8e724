import {
  type Arch,
  type ArchField,
  type FieldNode,
  type FieldTypeTraits,
  fieldType,
  type ListColumn,
} from '@kontor/protocol';
import { useMemo } from 'react';
import { saveSetting } from '../../../data/settings.ts';
import type { FieldWidget } from '../../../fields/define-field.ts';
import { widgetOf } from '../../../fields/registry.tsx';
import { createStore, useStorePart } from '../../../state/store.ts';

export interface GridColumn {
  readonly name: string;
  readonly label: string;
  readonly field: ArchField;
  readonly node: ListColumn;
  readonly widget: FieldWidget;
  readonly isEnd: boolean;
  /** A person may switch it on and off. */
  readonly isOptional: boolean;
}

/** What a grid can show; the handle is drawn as a grip, not as a column. */
function gridColumns({ list, fields }: FieldNode): readonly GridColumn[] {
  const byName = new Map(fields?.map((field) => [field.name, field]));
  return (list?.columns ?? []).flatMap((node) => {
    const field = byName.get(node.name);
    if (!field || node.invisible === true || node.widget === 'handle' || node.name === list?.handle) return [];
    const widget = widgetOf(field, node.widget);
    const label = node.label ?? field.label;
    const isOptional = node.optional !== undefined;
    return [{ name: node.name, label, field, node, widget, isEnd: widget.align === 'end', isOptional }];
  });
}

/** Texts, and relations by their names. */
function isWords({ isText, isRelation, isReference }: FieldTypeTraits): boolean {
  return isText || isRelation || isReference;
}

/** Below this the grid scrolls sideways; every row must agree on it, or their columns would not line up. */
export function gridWidth(columns: readonly GridColumn[], hasGrip: boolean): number {
  const widths = columns.map((column, at) => column.node.width ?? minWidth(column, at));
  return widths.reduce((sum, width) => sum + width, 52 + (hasGrip ? 32 : 0));
}

/** Texts share what numbers, dates and choices leave. */
export function gridTemplate(columns: readonly GridColumn[], hasGrip: boolean): string {
  const tracks = columns.map((column, at) => {
    const { field, node, name } = column;
    if (node.width) return `${node.width}px`;
    const least = minWidth(column, at);
    return `minmax(${least}px, ${weightOf(field, name, at)}fr)`;
  });
  return [hasGrip ? '32px' : '', ...tracks, '52px'].filter((track) => track !== '').join(' ');
}

/** Names and descriptions get more width than other texts, and those more than numbers. */
function weightOf(field: ArchField, name: string, at: number): number {
  const type = fieldType(field.type);
  if (!isWords(type)) return 0.5;
  if (at === 0 || name === 'name') return 3;
  return type.isRelation ? 1 : 2;
}

const letter = 6.7;

/** Wide enough for its head; narrow enough that an order with its talk beside it needs no scrolling sideways. */
function minWidth({ field, widget, label, name }: GridColumn, at: number): number {
  const head = Math.min(Math.ceil(label.length * letter) + 18, 120);
  const type = fieldType(field.type);
  if (type.isRelation) return Math.max(head, at === 0 ? 150 : type.isList ? 98 : 56);
  if (isWords(type)) return Math.max(head, at === 0 ? 150 : name === 'name' ? 140 : 88);
  if (type.isMoney) return Math.max(head, 96);
  return Math.max(head, Math.min(widget.width ?? 90, 72));
}

/** Columns that were hidden on this page, by the key of their setting; until then as the server says. */
const choices = createStore<Readonly<Record<string, readonly string[]>>>({});

export interface GridColumns {
  readonly shown: readonly GridColumn[];
  readonly optional: readonly GridColumn[];
  isHidden(name: string): boolean;
  toggle(name: string): void;
}

/** The columns of a grid as its user wants them; the choice is kept on the server. */
export function useGridColumns(arch: Arch, node: FieldNode): GridColumns {
  const key = `columns:${arch.key ?? arch.model}/${node.name}`;
  const chosen = useStorePart(choices, (all) => all[key]);
  return useMemo(() => {
    const all = gridColumns(node);
    const optional = all.filter((column) => column.isOptional);
    const hidden = chosen ?? optional.filter((column) => column.node.optional === 'hide').map((column) => column.name);
    return {
      shown: all.filter((column) => !column.isOptional || !hidden.includes(column.name)),
      optional,
      isHidden: (name) => hidden.includes(name),
      toggle(name) {
        const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name];
        choices.set((now) => ({ ...now, [key]: next }));
        saveSetting(key, { hidden: next });
      },
    };
  }, [node, chosen, key]);
}
