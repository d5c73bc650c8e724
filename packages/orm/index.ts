export * from './env.ts';
export * from './fields/kind.ts';
export * from './fields/spec.ts';
export * from './model/definition.ts';
export * from './model/model.ts';
export * from './records/records.ts';
export * from './records/unit-of-work.ts';
