// mluop encoder --train: whole training steps of the encoder, with the limit of every call.
#pragma once

#include <vector>

#include "commands/commands.hpp"
#include "ops/sparse_conv/kit/encoder_run.hpp"
#include "testing/data/handle.hpp"

namespace mluop::cli {

/// Prints for each number of threads a table by layer and the ratio of the limits to the time of a step.
void train_encoder(const sparse_conv::EncoderRun& encoder, const EncoderOptions& options,
                   testing::Handle& handle, const std::vector<int>& thread_counts);

}  // namespace mluop::cli
