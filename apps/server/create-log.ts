import type { Config } from '@kontor/kernel';
import pino, { type Logger } from 'pino';

/** Structured lines with request id, user, model, method and duration; secrets are cut out wherever they might stand. */
export function createLog(config: Config): Logger {
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['password', 'token', 'secret', 'key', '*.password', '*.token', '*.secret', 'req.headers', 'headers'],
        censor: '***',
      },
    },
    config.logFile === '' ? pino.destination(1) : pino.destination({ dest: config.logFile, mkdir: true }),
  );
}
