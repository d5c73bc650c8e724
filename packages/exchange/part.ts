import { definePart } from '@kontor/kernel';
import { sysBulkImport, sysBulkImportFile } from './import/bulk-import.ts';

/** Records as files: exports and imports. */
export const exchangePart = definePart({ name: 'exchange', models: [sysBulkImport, sysBulkImportFile] });
