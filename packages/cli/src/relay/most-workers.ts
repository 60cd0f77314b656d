/** More processes than this are a slip: a port, or a time. */
export const mostWorkers = 256;
