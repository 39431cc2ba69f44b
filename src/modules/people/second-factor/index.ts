export { createSecondFactors, type Offered, type SecondFactors } from './second-factor.ts';
