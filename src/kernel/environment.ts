/** The environment of the process. Nothing else reads it: what an operator may set is in `model/operator.ts`. */
export const environment: NodeJS.ProcessEnv = process.env;
