import { definePart } from '@kontor/kernel';
import { sysBulkImport, sysBulkImportFile } from './import/bulk-import.ts';

/** Records as files: exports and imports. */
export const exchangePart = definePart({
  name: 'exchange',
  models: [sysBulkImport, sysBulkImportFile],
  expires: {
    clean_drafts: [
      {
        ...{ model: 'sys.bulk.import', column: 'write_date', age: '7 days' },
        states: ['draft', 'running', 'failed', 'cancelled'],
      },
      { model: 'sys.bulk.import', column: 'write_date', age: '30 days', states: ['done'] },
    ],
  },
});
