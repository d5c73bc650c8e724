export type { Download, DownloadFile } from './export/download.ts';
export * from './export/export-csv.ts';
export { exportCsv } from './export/export-csv.ts';
export { exportPdf } from './export/export-pdf.ts';
export * from './export/export-query.ts';
export * from './import/import-batch.ts';
export * from './import/stage-import.ts';
export * from './part.ts';
export { type FontFiles, fontFiles } from './pdf/font-files.ts';
