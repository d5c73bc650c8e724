/** The prefix of the databases that this run prepares for copies. */
export function templatePrefix(): string {
  return `kontor_template_${process.env.KONTOR_TEST_RUN ?? 'alone'}_`;
}
