/** `COPY … FROM STDIN` of a text, as a query of the driver; settles when the rows are in. */
export function copyIn(client, statement, text) {
  return new Promise((resolve, reject) => {
    let failure = null;
    client.query({
      submit: (connection) => connection.query(statement),
      handleCopyInResponse(connection) {
        connection.sendCopyFromChunk(Buffer.from(text));
        connection.endCopyFrom();
      },
      handleCommandComplete() {},
      handleError(error) {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => (failure ? undefined : resolve()),
    });
  });
}
