/* Stands in for the vendor's driver header: MLU-OPS programs include it for the queue type alone.
 */
#ifndef CN_API_H_
#define CN_API_H_

#include "cnrt.h"

#endif /* CN_API_H_ */
