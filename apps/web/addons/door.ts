/**
 * All that the browser code of addons may import from `@kontor/client`. The page provides it, so that every addon shares one
 * React, one router and one record cache.
 */

export { deleteRecords, showError, writeRecords } from '../data/changes.ts';
export { ClientError } from '../data/client-error.ts';
export { useRecord } from '../data/records.ts';
export { type RecordValues, read, readGroup, rpc, searchRead, type Values } from '../data/rpc.ts';
export { showToast } from '../data/toasts.ts';
export {
  defineField,
  type FieldEditProps,
  type FieldPlace,
  type FieldReadProps,
  type FieldWidget,
} from '../fields/define-field.ts';
export { formatHours, parseHours } from '../fields/duration.tsx';
export { ValueRead, valueText, widgetOf } from '../fields/registry.tsx';
export { formatDate, formatDateTime, formatRelative, timeZone } from '../i18n/dates.ts';
export { locale, t, tn } from '../i18n/messages.ts';
export { formatDecimal, formatInteger, formatMoney, parseNumber } from '../i18n/numbers.ts';
export { navigate } from '../navigation/router.ts';
export { refine, type SearchState, toHref } from '../search/search-state.ts';
export { whileBusy } from '../state/idle.ts';
export { Button, IconButton } from '../ui/button.tsx';
export { Dialog } from '../ui/dialog.tsx';
export { NamedIcon } from '../ui/icon.tsx';
export { Menu } from '../ui/menu.tsx';
export { Avatar, Badge, Checkbox, Chip, EmptyState, type Look, Skeleton } from '../ui/parts.tsx';
export { Popover } from '../ui/popover.tsx';
export type { ViewProps } from '../views/define-view.ts';
export { openRecord, prefetchRecord, recordHref } from '../views/open-record.ts';
export { WorkspaceBar } from '../views/workspace-bar.tsx';
export { type ClientDefinition, defineAddonView as defineView, defineClient } from './define-client.ts';
