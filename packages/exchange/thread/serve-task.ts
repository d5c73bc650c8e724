import type { MessagePort } from 'node:worker_threads';

/** Each loads the code that it needs. */
const tasks = {
  drawing: async (port: MessagePort) => (await import('../pdf/serve-drawing.ts')).serveDrawing(port),
  pieces: async (port: MessagePort) => (await import('../pieces/serve-pieces.ts')).servePieces(port),
  sheet: async (port: MessagePort) => (await import('../document/serve-sheet.ts')).serveSheet(port),
  upload: async (port: MessagePort) => (await import('../import/read-file.ts')).serveUpload(port),
};

export type TaskName = keyof typeof tasks;

/** The code of a thread: serves one task through the port. */
export function serveTask(task: TaskName, port: MessagePort): Promise<void> {
  return tasks[task](port);
}
