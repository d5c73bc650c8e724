export { onCatchUp, onEvent, watchRecords } from '../data/bus.ts';
export { deleteRecords, offerUndo, sendChange, showError, writeRecords } from '../data/changes.ts';
export { ClientError, toClientError } from '../data/client-error.ts';
export { holds } from '../data/conditions.ts';
export { connection } from '../data/connection.ts';
export { mergeFields, usePathFields } from '../data/model-fields.ts';
export { createPages, type PageQuestion, type Pages } from '../data/pages.ts';
export { useRecordParts } from '../data/record-parts.ts';
export {
  forget,
  nameOnScreen,
  patch,
  recall,
  remember,
  useReadRecord,
  useRecord,
  useRecords,
} from '../data/records.ts';
export { latestOnly, request } from '../data/request.ts';
export { type RecordValues, type RpcReceipt, read, readGroup, rpc, searchRead, type Values } from '../data/rpc.ts';
export { saveSetting } from '../data/settings.ts';
export { announce, closeToast, showToast } from '../data/toasts.ts';
export {
  knownIds,
  recordQuestion,
  showPageError,
  usePagesVersion,
  useRecordPages,
} from '../workspace/use-record-pages.ts';
export { useWorkspaceIds } from '../workspace/use-workspace-ids.ts';
