/* Replaces the vendor's driver header, which MLU-OPS programs include only for the queue type. */
#ifndef CN_API_H_
#define CN_API_H_

#include "cnrt.h"

#endif /* CN_API_H_ */
